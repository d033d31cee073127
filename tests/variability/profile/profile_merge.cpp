// SPDX-License-Identifier: MIT
#include "variability/profile/profile_merge.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "core/error.hpp"
#include "message_of.hpp"
#include "variability/profile/profile.hpp"
#include "variability/profile/profile_of_sessions.hpp"

namespace palstudy {
namespace {

Profile merge(const std::vector<Profile>& profiles) {
  std::vector<NamedProfile> named;
  for (std::size_t i = 0; i < profiles.size(); ++i)
    named.push_back({std::string(1, static_cast<char>('a' + i)), profiles[i]});
  return merge_profiles(named).profile;
}

bool same_profile(const Profile& a, const Profile& b) {
  const auto equal = [](const auto& x, const auto& y, auto&& same_rows) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), same_rows);
  };
  const auto rows = [](const auto& x, const auto& y) { return same(x, y); };
  return a.origin == b.origin && equal(a.gpus, b.gpus, rows) && equal(a.kernels, b.kernels, rows) &&
         equal(a.utilization, b.utilization, rows) &&
         equal(a.sessions, b.sessions,
               [](const auto& x, const auto& y) {
                 return same_but_times(x, y) && x.start == y.start && x.end == y.end;
               }) &&
         equal(a.repeats, b.repeats,
               [](const auto& x, const auto& y) {
                 return same_but_indices(x, y) && x.gpu == y.gpu && x.session == y.session && x.kernel == y.kernel;
               }) &&
         equal(a.transfers, b.transfers,
               [](const auto& x, const auto& y) { return same_but_indices(x, y) && x.session == y.session; });
}

/// Parts of one campaign that overlap: nodes, sessions and kernels of each differ.
std::vector<Profile> parts() {
  Profile a = made_up::profile_of(2, 2, {"1", "2"}, {"sgemm"}),
          b = made_up::profile_of(3, 2, {"3"}, {"sgemm", "pagerank"});
  Profile c = made_up::profile_of(1, 2, {"1", "4"}, {"sgemm"});
  for (auto& repeat : c.repeats) {  // session "1" is that of a; "4" has other times than a's second one
    if (repeat.session == 1) repeat.batch_ms = {7, 8};
  }
  a.sessions[0].start = "b";
  a.sessions[0].end = "x";
  c.sessions[0].start = "a";
  c.sessions[0].end = "y";
  c.gpus[1].host = "elsewhere";  // moved before session 4
  a.transfers = {{0, "link", "node", "peer", 2, 8, 1, 0}, {0, "link", "node", "peer", 2, 8, 1, 0}};
  c.transfers = {{0, "link", "node", "peer", 2, 8, 1, 0}, {1, "link", "node", "peer", 2, 8, 1, 0}};
  b.origin = "imported";
  return {a, b, c};
}

// Whatever the order, and whatever was merged first, the result is one, and merging it again with a part changes
// nothing.
TEST(ProfileMerge, IsAssociativeAndIgnoresOrder) {
  const auto p = parts();
  const Profile all = merge(p);
  check_profile(all, "all");
  EXPECT_TRUE(same_profile(all, merge({p[2], p[0], p[1]})));
  EXPECT_TRUE(same_profile(all, merge({merge({p[0], p[1]}), p[2]})));
  EXPECT_TRUE(same_profile(all, merge({p[1], merge({p[2], p[0]})})));
  EXPECT_TRUE(same_profile(all, merge({all, p[0], p[2], all})));
  EXPECT_FALSE(same_profile(all, merge({p[0], p[1]})));
}

// Counted by hand: 4 GPUs x 2 sessions x 3 repeats of sgemm in a, 6 GPUs x 3 x 2 kernels in b, and of c the 2 GPUs x 3
// repeats of session 4 alone, those of session 1 being a's.
TEST(ProfileMerge, KeepsWhatIsThereTwiceOnce) {
  const Profile all = merge(parts());
  EXPECT_EQ(all.repeats.size(), 24U + 36U + 6U);
  EXPECT_EQ(all.gpus.size(), 6U);
  EXPECT_EQ(all.sessions.size(), 4U);
  EXPECT_EQ(all.kernels.size(), 2U);
  EXPECT_EQ(all.transfers.size(), 3U);  // two alike in session 1, one in session 4
  EXPECT_EQ(all.sessions[0].start, "a");
  EXPECT_EQ(all.sessions[0].end, "y");
  EXPECT_EQ(all.origin, "imported");
}

// A GPU is where its last session found it, and that it moved is said.
TEST(ProfileMerge, AGpuThatMoved) {
  const auto p = parts();
  const auto merged = merge_profiles({{"a", p[0]}, {"c", p[2]}});
  const auto moved = std::find_if(merged.profile.gpus.begin(), merged.profile.gpus.end(),
                                  [](const ProfileGpu& gpu) { return gpu.uuid == "GPU-1"; });
  EXPECT_EQ(moved->host, "elsewhere");
  EXPECT_EQ(
      merged.notes,
      (std::vector<Note>{
          {"changed-gpu", Severity::info, "GPU-1", {{"what", "host"}, {"values", ValueList{"elsewhere", "n0"}}}}}));
}

// What is said of two GPUs that moved does not depend on which of the files came first.
TEST(ProfileMerge, NotesDoNotDependOnTheOrder) {
  const Profile first = made_up::profile_of(1, 2, {"1"});
  Profile second = made_up::profile_of(1, 2, {"2"}), third = made_up::profile_of(1, 2, {"3"});
  second.gpus[1].host = "elsewhere";
  third.gpus[0].host = "elsewhere";
  third.gpus[1].host = "elsewhere";
  const auto notes = [&](const Profile& b, const Profile& c) {
    return merge_profiles({{"a", first}, {"b", b}, {"c", c}}).notes;
  };
  EXPECT_EQ(notes(second, third), notes(third, second));
  EXPECT_EQ(notes(second, third).size(), 2U);
}

// The same key with other content is refused, with both files.
TEST(ProfileMerge, ContradictionsAreRefused) {
  const auto refused = [](const std::function<void(Profile&)>& spoil, const std::string& part) {
    Profile a = made_up::profile_of(1, 2, {"1"}), b = a;
    ProfileUtilization use;
    use.application = "bert";
    use.duration_s = 1;
    a.utilization = b.utilization = {use};
    spoil(b);
    const std::string message = message_of(ErrorCode::data, [&] {
      (void)merge_profiles({{"one.h5", a}, {"two.h5", b}});
    });
    for (const std::string& word : {part, std::string("one.h5"), std::string("two.h5")}) {
      EXPECT_NE(message.find(word), std::string::npos) << message;
    }
  };
  refused([](Profile& p) { p.repeats[4].batch_ms[0] += 1; }, "repeat 1 of sgemm on GPU-1 in session 1");
  refused([](Profile& p) { p.repeats[0].flags = 1; }, "repeat 0 of sgemm on GPU-0");
  refused([](Profile& p) { p.sessions[0].driver = "other"; }, "session 1");
  refused([](Profile& p) { p.kernels[0].flops = 7; }, "kernel sgemm (n = 1)");
  refused([](Profile& p) { p.gpus[0].vbios = "other"; }, "GPU GPU-0");
  refused([](Profile& p) { p.utilization[0].u_fu = 0.5; }, "utilisation of bert");
}

// Of a session that is in several files the earliest start and the latest end that are known hold, and the remarks that
// say most, whatever the order of the files.
TEST(ProfileMerge, JoinsWhatIsKnownOfASession) {
  std::vector<Profile> files(3, made_up::profile_of(1, 1, {"1"}));
  files[1].sessions[0].start = "2026-01-02", files[1].sessions[0].end = "2026-01-03";
  files[1].sessions[0].remarks = "z";
  files[2].sessions[0].start = "2026-01-01", files[2].sessions[0].end = "2026-01-02";
  files[2].sessions[0].remarks = "another process";
  std::vector<std::size_t> order = {0, 1, 2};
  do {
    const Profile all = merge({files[order[0]], files[order[1]], files[order[2]]});
    ASSERT_EQ(all.sessions.size(), 1U);
    EXPECT_EQ(all.sessions[0].start, "2026-01-01");
    EXPECT_EQ(all.sessions[0].end, "2026-01-03");
    EXPECT_EQ(all.sessions[0].remarks, "another process");
  } while (std::next_permutation(order.begin(), order.end()));
}

// Other power limits explain other times, so they are said; that one was not known before is no change.
TEST(ProfileMerge, OtherPowerLimitsAreSaid) {
  Profile first = made_up::profile_of(1, 2, {"1"}), second = made_up::profile_of(1, 2, {"2"});
  first.gpus[0].power_limit_w = 300;
  second.gpus[0].power_limit_w = 250;
  second.gpus[1].power_limit_w = 250;  // not known in the first
  const auto notes = [](const Profile& a, const Profile& b) { return merge_profiles({{"a", a}, {"b", b}}).notes; };
  const Note limits{
      "changed-gpu", Severity::info, "GPU-0", {{"what", "power_limit_w"}, {"values", ValueList{250.0, 300.0}}}};
  EXPECT_EQ(notes(first, second), std::vector<Note>{limits});
  EXPECT_EQ(notes(first, second), notes(second, first));
  EXPECT_EQ(merge_profiles({{"a", first}, {"b", second}}).profile.gpus[0].power_limit_w, 250);
}

// Rows are the same only if every figure is; the places of a repeat's GPU, session and kernel, and the times and
// remarks of a session, do not count. Each is changed alone, from a row of which no number is known.
TEST(ProfileRows, AreTheSameIfEveryFigureIs) {
  const auto differ = [](const auto& row, const auto& same_rows, auto... change) {
    EXPECT_TRUE(same_rows(row, row));
    int at = 0;
    const auto try_one = [&](const auto& one) {
      auto other = row;
      one(other);
      EXPECT_FALSE(same_rows(row, other)) << "change " << at;
      EXPECT_FALSE(same_rows(other, row)) << "change " << at;
      EXPECT_TRUE(same_rows(other, other)) << "change " << at;
      ++at;
    };
    (try_one(change), ...);
  };
  const auto same_rows = [](const auto& a, const auto& b) { return same(a, b); };
  using Gpu = ProfileGpu;
  differ(
      Gpu{}, same_rows, [](Gpu& g) { g.uuid = "x"; }, [](Gpu& g) { g.host = "x"; }, [](Gpu& g) { g.local = 1; },
      [](Gpu& g) { g.cabinet = "x"; }, [](Gpu& g) { g.name = "x"; }, [](Gpu& g) { g.pci_bus_id = "x"; },
      [](Gpu& g) { g.serial = "x"; }, [](Gpu& g) { g.board_part = "x"; }, [](Gpu& g) { g.vbios = "x"; },
      [](Gpu& g) { g.ecc = "x"; }, [](Gpu& g) { g.mig = "x"; }, [](Gpu& g) { g.persistence = "x"; },
      [](Gpu& g) { g.numa_node = 1; }, [](Gpu& g) { g.multiprocessors = 1; }, [](Gpu& g) { g.memory_bytes = 1; },
      [](Gpu& g) { g.power_limit_w = 1; }, [](Gpu& g) { g.power_limit_default_w = 1; },
      [](Gpu& g) { g.max_sm_mhz = 1; }, [](Gpu& g) { g.max_mem_mhz = 1; });
  using Kernel = ProfileKernel;
  differ(
      Kernel{}, same_rows, [](Kernel& k) { k.name = "x"; }, [](Kernel& k) { k.params = "x"; },
      [](Kernel& k) { k.pipe = "x"; }, [](Kernel& k) { k.flops = 1; }, [](Kernel& k) { k.bytes_least = 1; },
      [](Kernel& k) { k.bytes_most = 1; });
  using Use = ProfileUtilization;
  differ(
      Use{}, same_rows, [](Use& u) { u.application = "x"; }, [](Use& u) { u.launches = 1; },
      [](Use& u) { u.duration_s = 1; }, [](Use& u) { u.u_dram = 1; }, [](Use& u) { u.u_fu = 1; },
      [](Use& u) { u.u_fma = 1; }, [](Use& u) { u.u_fp64 = 1; }, [](Use& u) { u.u_fp16 = 1; },
      [](Use& u) { u.u_alu = 1; }, [](Use& u) { u.u_xu = 1; }, [](Use& u) { u.u_tensor = 1; });
  using Session = ProfileSession;
  const auto same_sessions = [](const Session& a, const Session& b) { return same_but_times(a, b); };
  differ(
      Session{}, same_sessions, [](Session& s) { s.id = "x"; }, [](Session& s) { s.backend = "x"; },
      [](Session& s) { s.driver = "x"; }, [](Session& s) { s.runtime = "x"; }, [](Session& s) { s.command_line = "x"; },
      [](Session& s) { s.seed = 2; }, [](Session& s) { s.ranks = 2; }, [](Session& s) { s.solo = true; },
      [](Session& s) { s.injected_slowdown = true; }, [](Session& s) { s.protocol = "x"; });
  const auto same_repeats = [](const ProfileRepeat& a, const ProfileRepeat& b) { return same_but_indices(a, b); };
  using Repeat = ProfileRepeat;
  differ(
      Repeat{}, same_repeats, [](Repeat& r) { r.repeat = 1; }, [](Repeat& r) { r.launches = 2; },
      [](Repeat& r) { r.start_ns = 1; }, [](Repeat& r) { r.flags = 1; }, [](Repeat& r) { r.batch_ms = {1}; },
      [](Repeat& r) { r.warm_up_s = 1; }, [](Repeat& r) { r.host_s = 1; }, [](Repeat& r) { r.check_error = 1; },
      [](Repeat& r) { r.telemetry.t_ns = {1}; }, [](Repeat& r) { r.telemetry.reasons = {1}; },
      [](Repeat& r) { r.telemetry.sm_mhz = {1}; }, [](Repeat& r) { r.telemetry.mem_mhz = {1}; },
      [](Repeat& r) { r.telemetry.power_w = {1}; }, [](Repeat& r) { r.telemetry.temp_c = {1}; },
      [](Repeat& r) { r.telemetry.energy_j = {1}; });
  const auto same_moves = [](const ProfileTransfer& a, const ProfileTransfer& b) { return same_but_indices(a, b); };
  using Move = ProfileTransfer;
  differ(
      Move{}, same_moves, [](Move& m) { m.kernel = "x"; }, [](Move& m) { m.level = "x"; },
      [](Move& m) { m.path = "x"; }, [](Move& m) { m.ranks = 3; }, [](Move& m) { m.bytes = 1; },
      [](Move& m) { m.seconds = 1; }, [](Move& m) { m.check_error = 1; });
  Session elsewhen;
  elsewhen.start = elsewhen.end = elsewhen.remarks = "x";
  EXPECT_TRUE(same_but_times(Session{}, elsewhen));
  Repeat elsewhere;
  elsewhere.gpu = elsewhere.session = elsewhere.kernel = 1;
  EXPECT_TRUE(same_but_indices(Repeat{}, elsewhere));
}

}  // namespace
}  // namespace palstudy
