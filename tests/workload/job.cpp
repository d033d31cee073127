// SPDX-License-Identifier: MIT
// Estimates of users: their range, their classes, and that they hang on the job alone.
#include "workload/job.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace palstudy {
namespace {

Workload jobs_of(int jobs) {
  Workload workload;
  for (int i = 0; i < jobs; ++i) {
    Job& job = workload.jobs.emplace_back();
    job.id = i;
    job.iterations = 100.0 + 500.0 * i;
    job.iteration_s = 2;
  }
  return workload;
}

// Uniform in 1 to 3 times the ideal time: over 2000 jobs the mean factor is 2 within 4 standard errors of 0.013.
TEST(Estimates, AreOneToThreeTimesTheIdealTime) {
  Workload workload = jobs_of(2000);
  estimate_durations(workload, Estimates::uniform, 7);
  double sum = 0;
  for (const Job& job : workload.jobs) {
    const double factor = job.requested_s() / job.ideal_s();
    ASSERT_GE(factor, 1);
    ASSERT_LT(factor, 3);
    sum += factor;
  }
  EXPECT_NEAR(sum / 2000, 2, 0.052);
}

// Rounding up to a class keeps the draw: the estimate is the least class that is not less than the uniform one.
TEST(Estimates, ClassesRoundTheSameDrawUp) {
  Workload uniform = jobs_of(500), classes = jobs_of(500);
  estimate_durations(uniform, Estimates::uniform, 7);
  estimate_durations(classes, Estimates::classes, 7);
  for (std::size_t j = 0; j < 500; ++j) {
    const double asked = uniform.jobs[j].estimate_s;
    double wanted = std::ceil(asked / 86400) * 86400;
    for (const double hours : {72.0, 24.0, 12.0, 4.0, 1.0, 0.25})
      wanted = asked <= hours * 3600 ? hours * 3600 : wanted;
    ASSERT_EQ(classes.jobs[j].estimate_s, wanted) << asked;
  }
}

// What the trace says stays; exact estimates are the ideal time; and a job's draw is its own in any company.
TEST(Estimates, HangOnTheJobAlone) {
  Workload many = jobs_of(50), few;
  many.jobs[3].estimate_s = 5;
  few.jobs = {many.jobs[9]};
  EXPECT_EQ(few.jobs[0].requested_s(), few.jobs[0].ideal_s());
  estimate_durations(many, Estimates::exact, 7);
  EXPECT_EQ(many.jobs[4].estimate_s, 0);
  estimate_durations(many, Estimates::uniform, 7);
  estimate_durations(few, Estimates::uniform, 7);
  EXPECT_EQ(many.jobs[3].estimate_s, 5);
  EXPECT_EQ(many.jobs[9].estimate_s, few.jobs[0].estimate_s);
}

// Job 2 comes after jobs 0 and 1; jobs 1 and 2 are tasks of arrays. Without job 1 nobody waits for it, and its array
// goes.
TEST(Links, GoWithTheJobsThatAreLeftOut) {
  Workload workload = jobs_of(3);
  workload.links = {{{2, 0}, {2, 1}}, {{1, "a"}, {2, "b"}}, {{"a", 1}, {"b", 2}}};
  EXPECT_EQ(leave_out(workload, [](const Job& job) { return job.id == 1; }), 1U);
  EXPECT_EQ(workload.links, (JobLinks{{{2, 0}}, {{2, "b"}}, {{"b", 2}}}));
  lose_links(workload);
  EXPECT_TRUE(workload.links.empty());
  EXPECT_EQ(workload.lost_links, (std::vector<std::string>{"after", "array"}));
}

}  // namespace
}  // namespace palstudy
