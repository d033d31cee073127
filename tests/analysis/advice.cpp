// SPDX-License-Identifier: MIT
// The rule by which an action is advised (analysis/advice.hpp).
#include "analysis/advice.hpp"

#include <gtest/gtest.h>

#include "core/numbers.hpp"

namespace palstudy {
namespace {

/// A trial whose mean completion times are so much shorter than 100 s, by replication.
Trial trial_of(Action action, const std::vector<double>& shorter) {
  Trial trial{action, {}};
  for (const double share : shorter) {
    trial.outcomes.push_back({.jct_mean_s = 100 * (1 - share), .job_h = 10 * (1 - share), .gpu_h = 20 * (1 - share)});
  }
  return trial;
}

/// Ten replications about a gain.
std::vector<double> about(double gain) {
  std::vector<double> shorter;
  for (int i = 0; i < 10; ++i) shorter.push_back(gain + 0.002 * (i % 3 - 1));
  return shorter;
}

constexpr Action nothing, prefer{ActionKind::prefer, 0}, place{ActionKind::place, 0};
Action drain(std::uint32_t nodes) { return {ActionKind::drain, nodes}; }

Advice advise(const std::vector<Trial>& trials) { return advice_of(trials, std::vector<double>(trials.size(), 0), {}); }

TEST(Advice, TakesTheCheapestActionWithMostOfTheGain) {
  const std::vector<Trial> trials = {trial_of(nothing, about(0)), trial_of(prefer, about(0.02)),
                                     trial_of(drain(1), about(0.098)), trial_of(drain(2), about(0.1)),
                                     trial_of(place, about(0.101))};
  EXPECT_EQ(advise(trials).action, drain(1));
  EXPECT_NEAR(advise(trials).advised().job_h_saved, 0.98, 0.01);
  EXPECT_NEAR(advise(trials).advised().gpu_h_saved, 1.96, 0.01);
}

TEST(Advice, TakesADearerActionForMoreThanHalfAPercentagePoint) {
  const std::vector<Trial> trials = {trial_of(nothing, about(0)), trial_of(prefer, about(0.02)),
                                     trial_of(place, about(0.03))};
  EXPECT_EQ(advise(trials).action, place);
}

// Gains and losses that cancel leave an interval on both sides of no change.
TEST(Advice, IsToDoNothingWhereNoGainIsBeyondDoubt) {
  const std::vector<double> mixed = {0.1, -0.1, 0.08, -0.08, 0.05, -0.04, 0.06, -0.06, 0.02, -0.02};
  const Advice advice = advise({trial_of(nothing, about(0)), trial_of(drain(1), mixed)});
  EXPECT_EQ(advice.action, nothing);
  ASSERT_TRUE(advice.actions.back().jct->low);
  EXPECT_LT(*advice.actions.back().jct->low, 0);
}

// Under eight replications there is no interval: then all have to gain, and half a percent together.
TEST(Advice, WithoutAnIntervalAsksForAGainInEachReplication) {
  const Trial base = trial_of(nothing, {0, 0.001, 0});
  const Advice all = advise({base, trial_of(drain(1), {0.02, 0.03, 0.01})});
  EXPECT_EQ(all.action, drain(1));
  ASSERT_TRUE(all.no_interval);
  EXPECT_EQ(all.no_interval->why, Missing::few_replications);
  EXPECT_EQ(advise({base, trial_of(drain(1), {0.05, 0.03, -0.001})}).action, nothing);
  EXPECT_EQ(advise({base, trial_of(drain(1), {0.001, 0.002, 0.001})}).action, nothing);
}

// Where jobs are left unfinished, or could not run on what is left, nothing is gained.
TEST(Advice, IsNeverAnActionThatLeavesJobsUnfinished) {
  Trial wide = trial_of(drain(1), about(0.5));
  wide.outcomes[3].jct_mean_s = nan;
  const Advice advice = advise({trial_of(nothing, about(0)), wide});
  EXPECT_EQ(advice.action, nothing);
  EXPECT_FALSE(advice.actions.back().jct);
}

// Differences between GPUs that do not repeat gain nothing on other measurements: the next best is advised, then
// nothing.
TEST(Advice, DoesNotStandIfItGainsNothingOnOtherMeasurements) {
  Advice advice = advise({trial_of(nothing, about(0)), trial_of(drain(1), about(0.02)), trial_of(place, about(0.03))});
  ASSERT_EQ(advice.action, place);
  EXPECT_FALSE(confirm(advice, 0.004));
  ASSERT_EQ(advice.action, drain(1));
  EXPECT_EQ(advice.actions.back().other_half, 0.004);
  EXPECT_TRUE(confirm(advice, 0.006));
  EXPECT_EQ(advice.action, drain(1));
  EXPECT_FALSE(confirm(advice, -0.01));
  EXPECT_EQ(advice.action, nothing);
  EXPECT_ANY_THROW((void)confirm(advice, 0.1));
}

TEST(Advice, OrdersActionsByCost) {
  const Advice advice = advise({trial_of(nothing, about(0)), trial_of(place, about(0)), trial_of(drain(3), about(0)),
                                trial_of(prefer, about(0)), trial_of(drain(1), about(0))});
  std::vector<Action> order;
  for (const ActionGain& one : advice.actions) order.push_back(one.action);
  EXPECT_EQ(order, (std::vector<Action>{nothing, prefer, drain(1), drain(3), place}));
}

}  // namespace
}  // namespace palstudy
