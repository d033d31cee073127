// SPDX-License-Identifier: MIT
#include "variability/profile/profile_merge.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "core/error.hpp"
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
  ASSERT_EQ(merged.notes.size(), 1U);
  EXPECT_NE(merged.notes[0].find("GPU-1 was on elsewhere and on n0"), std::string::npos) << merged.notes[0];
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
    try {
      (void)merge_profiles({{"one.h5", a}, {"two.h5", b}});
      ADD_FAILURE() << "accepted: " << part;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::data);
      const std::string message = error.what();
      for (const std::string& word : {part, std::string("one.h5"), std::string("two.h5")}) {
        EXPECT_NE(message.find(word), std::string::npos) << message;
      }
    }
  };
  refused([](Profile& p) { p.repeats[4].batch_ms[0] += 1; }, "repeat 1 of sgemm on GPU-1 in session 1");
  refused([](Profile& p) { p.repeats[0].flags = 1; }, "repeat 0 of sgemm on GPU-0");
  refused([](Profile& p) { p.sessions[0].driver = "other"; }, "session 1");
  refused([](Profile& p) { p.kernels[0].flops = 7; }, "kernel sgemm (n = 1)");
  refused([](Profile& p) { p.gpus[0].vbios = "other"; }, "GPU GPU-0");
  refused([](Profile& p) { p.utilization[0].u_fu = 0.5; }, "utilisation of bert");
}

}  // namespace
}  // namespace palstudy
