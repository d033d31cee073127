// SPDX-License-Identifier: MIT
// What is drawn of attempts beside how often they fail (failures.cpp).
#include "workload/attempt_model.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "core/csv.hpp"

namespace palstudy {
namespace {

FailureTable published_failures() {
  return failure_table(CsvTable::read(PALSTUDY_SOURCE_DIR "/jobs/failures/philly.csv"));
}

Job job_to_fail(std::int64_t id, std::uint32_t gpus) {
  Job job;
  job.id = id;
  job.gpus = gpus;
  return job;
}

// Whether a reason comes back, whether an attempt fails anew, by what, after how long and on which GPU are drawn apart.
// Where half of the reasons come back, of the other half as many fail as of first attempts (0.247 on one GPU); half of
// the failures of each reason come before its median and nine tenths before the percentile 90; and where a reason came
// back says nothing of the GPU. Five standard errors are allowed.
TEST(AttemptModel, DrawsEachThingApart) {
  FailureOptions options;
  options.repeat = 0.5;
  const AttemptModel model(published_failures(), options);
  constexpr int jobs = 100'000;
  struct Count {
    double all = 0, before_p50 = 0, before_p90 = 0;
  };
  std::map<std::int32_t, Count> of;
  double again = 0, came_back = 0, place = 0;
  for (int i = 0; i < jobs; ++i) {
    const Job narrow = job_to_fail(i, 1);
    const Ending second = model.ending(narrow, 2, 0, 1);
    again += second.fails() ? 1 : 0;
    if (second.reason == 0) ++came_back, place += model.place_of_fault(narrow, 2);
    const Ending first = model.ending(job_to_fail(i, 16), 1, Ending::none, 1);
    if (!first.fails()) continue;
    Count& count = of[first.reason];
    ++count.all;
    count.before_p50 += first.run_s < model.reason(first.reason).p50_min * 60 ? 1 : 0;
    count.before_p90 += first.run_s < model.reason(first.reason).p90_min * 60 ? 1 : 0;
  }
  ASSERT_TRUE(model.reason(0).repeats);
  EXPECT_NEAR(again / jobs, 0.5 + 0.5 * 0.247, 5 * 0.5 / std::sqrt(jobs));
  EXPECT_NEAR(place / came_back, 0.5, 5 * 0.29 / std::sqrt(came_back));
  int often = 0;
  for (const auto& [reason, count] : of) {
    if (count.all < 1500) continue;
    ++often;
    EXPECT_NEAR(count.before_p50 / count.all, 0.5, 5 * 0.5 / std::sqrt(count.all)) << model.reason(reason).name;
    EXPECT_NEAR(count.before_p90 / count.all, 0.9, 5 * 0.3 / std::sqrt(count.all)) << model.reason(reason).name;
  }
  EXPECT_GT(often, 8);
}

// Killed jobs end anywhere within their work if so told, whichever jobs are killed, and all others with it. What the
// scheduler does is found by its row, where there is one.
TEST(AttemptModel, KilledJobsEndAnywhereWithinTheirWork) {
  FailureOptions options;
  const AttemptModel whole(published_failures(), options);
  options.kills_within = true;
  const AttemptModel within(published_failures(), options);
  double killed = 0, share = 0;
  for (int i = 0; i < 50'000; ++i) {
    const Job job = job_to_fail(i, 8);
    EXPECT_EQ(whole.share_until_killed(job), 1);
    const double until = within.share_until_killed(job);
    EXPECT_EQ(until < 1, within.killed(job));
    EXPECT_GT(until, 0);
    if (until < 1) ++killed, share += until;
  }
  ASSERT_GT(killed, 5000);
  EXPECT_NEAR(share / killed, 0.5, 5 * 0.29 / std::sqrt(killed));
  EXPECT_EQ(whole.reason(whole.preemption_reason()).name, "Job preempted");
  const std::string one =
      "reason,category,of,repeats,validated,rtf_p50_min,rtf_p90_min,rtf_p95_min,gpus_1\n"
      "(attempts that fail),,share,,,,,,50\n(jobs that are killed),,share,,,,,,15\n"
      "one,U,job,no,no,1,2,3,10\n";
  EXPECT_EQ(AttemptModel(failure_table(CsvTable::parse(one, "f.csv")), {}).preemption_reason(), Ending::none);
}

// A run on one GPU shows what is of a class that it can show, if it fails before the run is over.
TEST(AttemptModel, AValidationShowsWhatFailsInTime) {
  FailureOptions options;
  options.validate_s = 60;
  const AttemptModel model(published_failures(), options);
  ASSERT_TRUE(model.reason(1).validated);
  ASSERT_FALSE(model.reason(0).validated);
  EXPECT_TRUE(model.shown_by_validation({1, 59.5}));
  EXPECT_FALSE(model.shown_by_validation({1, 60}));
  EXPECT_FALSE(model.shown_by_validation({0, 1}));
  EXPECT_FALSE(model.shown_by_validation({Ending::none, 1}));
}

}  // namespace
}  // namespace palstudy
