// SPDX-License-Identifier: MIT
#include "analysis/overload.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <utility>

namespace palstudy {
namespace {

// So many overloaded runs, with a backlog, and others.
PolicyOverload runs_of(const std::string& name, int overloaded, int backlogs, int others) {
  PolicyOverload result{name, {}};
  for (int i = 0; i < overloaded; ++i) result.runs.add(1.5, 9);
  for (int i = 0; i < backlogs; ++i) result.runs.add_backlog(-4);
  for (int i = 0; i < others; ++i) result.runs.add_other();
  return result;
}

std::string head(const std::string& text) { return text.substr(0, text.find(':')); }

// A gain says whose runs are overloaded: read as the policy's, an overload of the baseline alone would mislead.
TEST(Overload, OfAPairSaysWhoseRunsAreMeant) {
  const auto of = [](const PolicyOverload& policy, const PolicyOverload& baseline) {
    return head(overload_of_pair(policy, baseline));
  };
  const PolicyOverload none = runs_of("pal", 0, 0, 20), some = runs_of("pal", 3, 0, 17), all = runs_of("pal", 20, 0, 0);
  EXPECT_EQ(of(none, runs_of("sticky", 11, 0, 9)), "overloaded in 11 of 20 runs of sticky alone");
  EXPECT_EQ(of(none, runs_of("sticky", 20, 0, 0)), "overloaded in all 20 runs of sticky alone");
  EXPECT_EQ(of(some, runs_of("sticky", 0, 0, 20)), "overloaded in 3 of 20 runs of pal alone");
  EXPECT_EQ(of(some, runs_of("sticky", 11, 0, 9)), "overloaded in 11 of 20 runs of sticky, 3 of 20 runs of pal");
  EXPECT_EQ(of(none, runs_of("sticky", 0, 5, 15)), "backlog in 5 of 20 runs of sticky alone");
  // Short where both are alike.
  EXPECT_EQ(of(some, runs_of("sticky", 3, 0, 17)), "overloaded in 3 of 20 runs of each");
  EXPECT_EQ(of(all, runs_of("sticky", 20, 0, 0)), "overloaded");
  EXPECT_EQ(of(none, runs_of("sticky", 0, 0, 20)), "");
}

// Load and slope are those of the runs that are named, wherever they stand.
TEST(Overload, OfAPairHasTheLoadsOfBoth) {
  PolicyOverload policy{"pal", {}}, baseline{"sticky", {}};
  policy.runs.add(1.2, 3);
  baseline.runs.add(1.4, 9);
  EXPECT_EQ(overload_of_pair(policy, baseline).find("overloaded: offered load 1.2 to 1.4, the queue grows by 3 to 9"),
            0u);
}

// Of all runs together the policies are named where some of them are overloaded more than others.
TEST(Overload, OfAllRunsNamesThePolicies) {
  const auto of = [](const std::vector<PolicyOverload>& policies) {
    Overload all;
    for (const auto& one : policies) all.add(one.runs);
    return head(all.text(all.policies_text(policies)));
  };
  EXPECT_EQ(of({runs_of("pal", 0, 0, 20), runs_of("sticky", 11, 0, 9)}), "overloaded in 11 of 40 runs (11 of sticky)");
  EXPECT_EQ(of({runs_of("pal", 2, 0, 18), runs_of("sticky", 11, 0, 9)}),
            "overloaded in 13 of 40 runs (2 of pal, 11 of sticky)");
  EXPECT_EQ(of({runs_of("pal", 3, 0, 17), runs_of("sticky", 3, 0, 17)}), "overloaded in 6 of 40 runs");
  EXPECT_EQ(of({runs_of("pal", 20, 0, 0), runs_of("sticky", 20, 0, 0)}), "overloaded");
  EXPECT_EQ(of({runs_of("a", 1, 0, 1), runs_of("b", 1, 0, 1), runs_of("c", 1, 0, 1), runs_of("d", 1, 0, 1),
                runs_of("e", 1, 0, 1), runs_of("f", 1, 0, 1), runs_of("g", 0, 0, 2)}),
            "overloaded in 6 of 14 runs (1 of a, 1 of b, 1 of c, 1 of d, and of 2 more)");
}

// The least and the most of all runs are told, in whichever order runs and sums of runs come together; a queue that
// shrinks by 4, 9 and 12 jobs an hour has a backlog, and nothing is known of a load then.
TEST(Overload, TellsTheLeastAndTheMostOfAllRuns) {
  Overload calm, steep, low, high;
  calm.add_backlog(-9);
  calm.add_backlog(-4);
  steep.add_backlog(-12);
  low.add(1.2, 3);
  high.add(1.4, 9);
  const auto both = [](Overload one, const Overload& other) {
    one.add(other);
    return one.text("");
  };
  EXPECT_EQ(calm.text("").find("backlog: the queue shrinks by 4 to 9 jobs an hour while"), 0u) << calm.text("");
  for (const std::string& text : {both(calm, steep), both(steep, calm)}) {
    EXPECT_EQ(text.find("backlog: the queue shrinks by 4 to 12 jobs an hour while"), 0u) << text;
  }
  for (const std::string& text : {both(low, high), both(high, low)}) {
    EXPECT_EQ(text.find("overloaded: offered load 1.2 to 1.4, the queue grows by 3 to 9 jobs an hour;"), 0u) << text;
  }
}

// What is not known is not told as a number: a load where all jobs arrive at once, or a slope; and a queue that does
// not grow in some of the runs, or in none yet, is not said to.
TEST(Overload, TellsNoNumberThatIsNotKnown) {
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  const auto of = [](const std::vector<std::pair<double, double>>& runs) {
    Overload all;
    for (const auto& [load, slope] : runs) all.add(load, slope);
    const std::string text = all.text();
    return text.substr(0, text.find(';'));
  };
  EXPECT_EQ(of({{1.5, unknown}}), "overloaded: offered load 1.5, how fast the queue grows is not known");
  EXPECT_EQ(of({{unknown, 5}}), "overloaded: the queue grows by 5 jobs an hour");
  EXPECT_EQ(of({{1.2, 0}}), "overloaded: offered load 1.2, the queue does not grow yet");
  EXPECT_EQ(of({{1.2, 0}, {1.4, 6}}), "overloaded: offered load 1.2 to 1.4, the queue grows by up to 6 jobs an hour");
  Overload at_capacity, at_once;
  at_capacity.add(1, 5);
  at_once.add(unknown, 5);
  EXPECT_FALSE(at_capacity.below_capacity());
  EXPECT_FALSE(at_once.below_capacity());
}

// By hand: 11 measured jobs come in an hour, none of which starts: one waits at its beginning and 11 at its end, so 10
// more in an hour. That is taken of a run that ended early, which the metric of the run does not see, and the metric of
// any other. A job that starts with the last arrival does not wait then, and one that is not measured never counts.
TEST(LoadOfARun, SaysByHowMuchItsQueueGrows) {
  const double never = std::numeric_limits<double>::quiet_NaN();
  std::vector<ArrivingJob> jobs;
  for (int i = 0; i < 11; ++i) jobs.push_back({360.0 * i, 100, true, false});
  std::vector<double> start_s(11, never);
  EXPECT_DOUBLE_EQ(load_of(jobs, start_s, 10, 0.25, true).queue_slope_per_h, 10);
  EXPECT_EQ(load_of(jobs, start_s, 10, 0.25, false).queue_slope_per_h, 0.25);
  start_s[5] = 3600, start_s[6] = 3601;  // ten wait at the end, one at the beginning
  EXPECT_DOUBLE_EQ(load_of(jobs, start_s, 10, 0.25, true).queue_slope_per_h, 9);
  start_s[0] = 0;  // nine and none
  EXPECT_DOUBLE_EQ(load_of(jobs, start_s, 10, 0.25, true).queue_slope_per_h, 9);
  jobs[3].measured = false;
  EXPECT_DOUBLE_EQ(load_of(jobs, start_s, 10, 0.25, true).queue_slope_per_h, 8);
}

// A queue that grows by 10 jobs an hour, where 11 come, is an overload of a run that is measured from its first job on;
// so is any growth where more work comes than the GPUs can do, 1.5 times as much, but no queue that does not grow. A
// run that is measured later has a backlog where its queue shrinks by as much, and no overload.
TEST(LoadOfARun, IsAnOverloadOrABacklog) {
  std::vector<ArrivingJob> jobs;
  for (int i = 0; i < 11; ++i) jobs.push_back({360.0 * i, 100, true, false});
  const std::vector<double> start_s(11, 0);
  const auto overloaded = [&](double gpus, double slope) {
    const RunLoad load = load_of(jobs, start_s, gpus, slope, false);
    EXPECT_FALSE(load.overloaded && load.backlog);
    return load.overloaded;
  };
  const auto backlog = [&](double slope) { return load_of(jobs, start_s, 10, slope, false).backlog; };
  const double few = 1100.0 / 3600 / 1.5;  // GPUs for two thirds of the work
  EXPECT_TRUE(overloaded(10, 10));
  EXPECT_FALSE(overloaded(10, 1e-6));
  EXPECT_TRUE(overloaded(few, 1e-6));
  EXPECT_FALSE(overloaded(few, 0));
  EXPECT_FALSE(backlog(-10)) << "nobody came before the first job";
  jobs[0].measured = false;
  EXPECT_FALSE(overloaded(10, 10));
  EXPECT_FALSE(overloaded(few, 1e-6));
  EXPECT_TRUE(backlog(-10));
  EXPECT_FALSE(backlog(10));
  EXPECT_FALSE(backlog(-1e-6));
}

}  // namespace
}  // namespace palstudy
