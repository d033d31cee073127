// SPDX-License-Identifier: MIT
// What is wrong with a profile is said by table, row and column; and the order of a profile keeps what points nowhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <string>

#include "core/error.hpp"
#include "message_of.hpp"
#include "variability/profile/profile.hpp"
#include "variability/profile/profile_of_sessions.hpp"

namespace palstudy {
namespace {

// Two GPUs, two sessions, two kernels; each key and index of a repeat broken alone.
TEST(ProfileRefusals, NameTableRowAndColumn) {
  Profile good = made_up::profile_of(1, 2, {"1", "2"}, {"sgemm", "triad"}, 1);
  ProfileTransfer transfer;
  transfer.seconds = 0.5;
  good.transfers = {transfer};
  EXPECT_NO_THROW(check_profile(good, "p"));
  good.origin = "imported";
  EXPECT_NO_THROW(check_profile(good, "p"));
  const auto refused = [&](const std::function<void(Profile&)>& spoil, const std::string& message) {
    Profile bad = good;
    spoil(bad);
    const Error error = error_of([&] { check_profile(bad, "p"); });
    EXPECT_EQ(error.code(), ErrorCode::data) << message;
    const std::string said = error.what();
    EXPECT_EQ(said.substr(0, said.find('\n')), message);
  };
  refused([](Profile& p) { p.origin = "found"; }, "p:/ (profile.origin): the origin \"found\" is none that there is");
  refused([](Profile& p) { p.gpus[1].uuid = "GPU-0"; }, "p:/gpus, row 1: the same uuid for the second time");
  refused([](Profile& p) { p.sessions[1].id = "1"; }, "p:/sessions, row 1: the same id for the second time");
  refused([](Profile& p) { p.kernels[1].name = "sgemm"; },
          "p:/kernels, row 1: the same name and params for the second time");
  refused([](Profile& p) { p.repeats[7] = p.repeats[2]; },
          "p:/repeats, row 7: the same kernel, gpu, session and repeat for the second time");
  for (const std::int32_t nowhere : {-1, 2}) {
    const std::string end = " is " + std::to_string(nowhere) + ", and there are 2 of them";
    refused([=](Profile& p) { p.repeats[7].gpu = nowhere; }, "p:/repeats, row 7: gpu" + end);
    refused([=](Profile& p) { p.repeats[6].session = nowhere; }, "p:/repeats, row 6: session" + end);
    refused([=](Profile& p) { p.repeats[5].kernel = nowhere; }, "p:/repeats, row 5: kernel" + end);
    refused([=](Profile& p) { p.transfers[0].session = nowhere; }, "p:/transfers, row 0: session" + end);
  }
  refused([](Profile& p) { p.repeats[7].repeat = -1; }, "p:/repeats, row 7: repeat is -1");
  refused([](Profile& p) { p.repeats[7].launches = 0; }, "p:/repeats, row 7: a batch of 0 launches");
  refused([](Profile& p) { p.repeats[7].batch_ms.clear(); }, "p:/repeats, row 7: no batches");
  refused([](Profile& p) { p.repeats[7].batch_ms[1] = 0; }, "p:/repeats, row 7: a batch of 0 ms");
  refused([](Profile& p) { p.repeats[7].batch_ms[1] = -1; }, "p:/repeats, row 7: a batch of -1 ms");
  refused([](Profile& p) { p.repeats[7].batch_ms[1] = std::numeric_limits<float>::infinity(); },
          "p:/repeats, row 7: a batch of inf ms");
  refused([](Profile& p) { p.transfers[0].seconds = 0; }, "p:/transfers, row 0: a transfer of 0 s");
}

// So is each figure that readers rely on. Those that are not known (NaN), and shares of nothing, are good.
TEST(ProfileRefusals, NameWhatReadersCannotUse) {
  Profile good = made_up::profile_of(1, 2, {"1"}, {"sgemm", "triad"}, 1);
  ProfileUtilization use;
  use.application = "bert";
  use.duration_s = 2;
  use.u_dram = use.u_tensor = 0;
  good.utilization = {use, use};
  good.utilization[1].application = "gpt";
  ProfileTransfer transfer;
  transfer.seconds = 0.5;
  good.transfers = {transfer, transfer};
  good.transfers[1].seconds = nan;
  EXPECT_NO_THROW(check_profile(good, "p"));
  const auto refused = [&](const std::function<void(Profile&)>& spoil, const std::string& part) {
    Profile bad = good;
    spoil(bad);
    const Error error = error_of([&] { check_profile(bad, "p"); });
    EXPECT_EQ(error.code(), ErrorCode::data) << part;
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  };
  refused([](Profile& p) { p.utilization[1].application = "bert"; }, "p:/utilization, row 1");
  refused([](Profile& p) { p.repeats[1].batch_ms[2] = nan; }, "p:/repeats, row 1");
  for (const double seconds : {0.0, -1.0}) {
    refused([=](Profile& p) { p.transfers[1].seconds = seconds; }, "p:/transfers, row 1");
    refused([=](Profile& p) { p.utilization[1].duration_s = seconds; }, "p:/utilization, row 1");
  }
  for (double ProfileUtilization::*share :
       {&ProfileUtilization::u_dram, &ProfileUtilization::u_fu, &ProfileUtilization::u_fma, &ProfileUtilization::u_fp64,
        &ProfileUtilization::u_fp16, &ProfileUtilization::u_alu, &ProfileUtilization::u_xu,
        &ProfileUtilization::u_tensor}) {
    refused([=](Profile& p) { p.utilization[1].*share = -0.25; }, "a utilisation of -0.25");
  }
  for (std::vector<double> ProfileTelemetry::*column :
       {&ProfileTelemetry::sm_mhz, &ProfileTelemetry::mem_mhz, &ProfileTelemetry::power_w, &ProfileTelemetry::temp_c,
        &ProfileTelemetry::energy_j}) {
    refused([=](Profile& p) { (p.repeats[1].telemetry.*column).push_back(1); }, "different numbers of samples");
  }
  refused([](Profile& p) { p.repeats[1].telemetry.t_ns.push_back(1); }, "different numbers of samples");
  refused([](Profile& p) { p.repeats[1].telemetry.reasons.push_back(1); }, "different numbers of samples");
}

// A profile whose tables stand the other way round, and whose indices say so, is the same one in order.
TEST(ProfileOrder, IndicesFollowTheirRows) {
  Profile profile = made_up::profile_of(2, 2, {"1", "2", "3"}, {"sgemm", "bert"}, 2);
  ProfileTransfer transfer;
  transfer.session = 2;
  profile.transfers = {transfer};
  Profile turned = profile;
  std::ranges::reverse(turned.gpus);
  std::ranges::reverse(turned.sessions);
  std::ranges::reverse(turned.kernels);
  std::ranges::reverse(turned.repeats);
  for (ProfileRepeat& repeat : turned.repeats) {
    repeat.gpu = 3 - repeat.gpu;
    repeat.session = 2 - repeat.session;
    repeat.kernel = 1 - repeat.kernel;
  }
  turned.transfers[0].session = 0;
  const Profile a = in_order(profile), b = in_order(turned);
  EXPECT_EQ(a.kernels[0].name, "bert");
  ASSERT_EQ(a.repeats.size(), b.repeats.size());
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(b.gpus[i].uuid, "GPU-" + std::to_string(i));
  for (std::size_t i = 0; i < a.repeats.size(); ++i) {
    const ProfileRepeat &x = a.repeats[i], &y = b.repeats[i];
    EXPECT_TRUE(same_but_indices(x, y) && x.gpu == y.gpu && x.session == y.session && x.kernel == y.kernel) << i;
  }
  EXPECT_EQ(a.transfers[0].session, 2);
  EXPECT_EQ(b.transfers[0].session, 2);
}

// What points nowhere still does so in order, for the check to find.
TEST(ProfileOrder, KeepsIndicesThatPointNowhere) {
  Profile profile = made_up::profile_of(1, 1, {"1"}, {"sgemm"}, 3);
  profile.repeats[0].gpu = 1;
  profile.repeats[1].gpu = -1;
  const Profile sorted = in_order(profile);
  EXPECT_EQ(sorted.repeats[0].gpu, -1);
  EXPECT_EQ(sorted.repeats[1].gpu, 0);
  EXPECT_EQ(sorted.repeats[2].gpu, 1);
}

}  // namespace
}  // namespace palstudy
