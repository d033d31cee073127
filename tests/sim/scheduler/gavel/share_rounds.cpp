// SPDX-License-Identifier: MIT
#include "sim/scheduler/gavel/share_rounds.hpp"

#include <gtest/gtest.h>

#include <array>

namespace palstudy {
namespace {

constexpr std::array<std::uint32_t, 2> both = {0, 1}, one_each = {1, 1};

RoundPick pick(std::uint32_t job, std::uint32_t type) { return {JobId(job), type}; }

// Two jobs with half of the time of each of two types. Round 0: equal priorities, so job 0 comes first on type 0 and
// job 1 gets type 1. After 360 s they have had 540 and 180 s of 720 there: priorities 0.5 / (540 / 720) = 0.67 and 2,
// so they change places.
TEST(ShareRounds, JobsTakeTurns) {
  ShareRounds rounds(2, 360, 1920);
  rounds.add(JobId(0), 1);
  rounds.add(JobId(1), 1);
  ASSERT_TRUE(rounds.due(0));
  rounds.reset(0, {0.5, 0.5, 0.5, 0.5});
  EXPECT_FALSE(rounds.due(360));
  EXPECT_EQ(rounds.fill(both, one_each), std::vector<RoundPick>({pick(0, 0), pick(1, 1)}));
  rounds.ran(pick(0, 0), 360);
  rounds.ran(pick(1, 1), 360);
  EXPECT_EQ(rounds.fill(both, one_each), std::vector<RoundPick>({pick(1, 0), pick(0, 1)}));
}

// Job 1 arrives after the reset at 100 s. Until 2020 s it has no share; it takes a place behind job 0, in which nobody
// runs.
TEST(ShareRounds, ANewcomerWaitsForTheReset) {
  ShareRounds rounds(2, 360, 1920);
  rounds.add(JobId(0), 1);
  rounds.reset(100, {1, 0});
  rounds.add(JobId(1), 1);
  EXPECT_FALSE(rounds.due(2019));
  EXPECT_TRUE(rounds.due(2020));
  EXPECT_EQ(rounds.fill(both, one_each), std::vector<RoundPick>({pick(0, 0)}));
  rounds.reset(2020, {1, 0, 0, 1});
  EXPECT_EQ(rounds.fill(both, one_each), std::vector<RoundPick>({pick(0, 0), pick(1, 1)}));
}

// A job without a share of a type fills it up if nobody else wants it, unless told otherwise.
TEST(ShareRounds, FillsUp) {
  for (const bool fills_up : {true, false}) {
    ShareRounds rounds(2, 360, 1920, false, fills_up);
    rounds.add(JobId(0), 1);
    rounds.reset(0, {0, 1});
    const auto& picks = rounds.fill(both, one_each);
    EXPECT_EQ(picks, std::vector<RoundPick>({pick(0, fills_up ? 0 : 1)}));
  }
}

// A gang that does not fit is passed over, and those after it are not held up.
TEST(ShareRounds, PassesOverWhatDoesNotFit) {
  ShareRounds rounds(1, 360, 1920);
  for (const std::uint32_t job : {0u, 1u, 2u}) rounds.add(JobId(job), job == 1 ? 3 : 2);
  rounds.reset(0, {0.5, 0.4, 0.3});
  const std::array<std::uint32_t, 1> type = {0}, four = {4};
  EXPECT_EQ(rounds.fill(type, four), std::vector<RoundPick>({pick(0, 0), pick(2, 0)}));
}

// Nested, what type 0 leaves counts for type 1: a job of 3 GPUs has one of the first type and two of the second.
TEST(ShareRounds, NestedTypesUseWhatFasterOnesLeave) {
  ShareRounds rounds(2, 360, 1920, true, false);
  rounds.add(JobId(0), 1);
  rounds.add(JobId(1), 3);
  rounds.reset(0, {1, 0, 0, 1});
  const std::array<std::uint32_t, 2> two_each = {2, 2};
  EXPECT_EQ(rounds.fill(both, two_each), std::vector<RoundPick>({pick(0, 0), pick(1, 1)}));
}

}  // namespace
}  // namespace palstudy
