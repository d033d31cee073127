// SPDX-License-Identifier: MIT
#include "analysis/overload.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "analysis/runs_of_policy.hpp"

namespace palstudy {
namespace {

// Of a pair the note has the runs of both, each with its own count; of runs without either there is none.
TEST(Overload, OfAPairCountsEach) {
  const PolicyOverload none = runs_of("pal", 0, 0, 20);
  const Note note = overload_of_pair(none, runs_of("sticky", 11, 0, 9)).value();
  EXPECT_EQ(note.id, "overloaded");
  EXPECT_EQ(note["runs"], Value(11));
  EXPECT_EQ(note["of"], Value(40));
  EXPECT_EQ(note["policies"], Value(ValueList{ValueRecord{{"name", "pal"}, {"runs", 0}, {"of", 20}},
                                              ValueRecord{{"name", "sticky"}, {"runs", 11}, {"of", 20}}}));
  EXPECT_EQ(overload_of_pair(none, runs_of("sticky", 0, 5, 15))->id, "backlog");
  EXPECT_FALSE(overload_of_pair(none, runs_of("sticky", 0, 0, 20)));
}

// The least and the most of all runs are noted, in whichever order runs and sums of runs come together.
TEST(Overload, HasTheLeastAndTheMostOfAllRuns) {
  Overload calm, steep, low, high;
  calm.add_backlog(-9);
  calm.add_backlog(-4);
  steep.add_backlog(-12);
  low.add(1.2, 3);
  high.add(1.4, 9);
  const auto both = [](Overload one, const Overload& other) {
    one.add(other);
    return one.note().value();
  };
  EXPECT_EQ((*calm.note())["shrink"], least_and_most(4, 9));
  EXPECT_EQ(both(calm, steep)["shrink"], least_and_most(4, 12));
  EXPECT_EQ(both(steep, calm)["shrink"], least_and_most(4, 12));
  EXPECT_EQ(both(low, high)["load"], least_and_most(1.2, 1.4));
  EXPECT_EQ(both(high, low)["growth"], least_and_most(3, 9));
}

// What is not known is no number: a load where all jobs arrive at once, or a slope.
TEST(Overload, HasNoNumberThatIsNotKnown) {
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  Overload no_slope, at_once, at_capacity;
  no_slope.add(1.5, unknown);
  at_once.add(unknown, 5);
  at_capacity.add(1, 5);
  EXPECT_FALSE((*no_slope.note())["growth"].known());
  EXPECT_FALSE((*at_once.note())["load"].known());
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
