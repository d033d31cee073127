// SPDX-License-Identifier: MIT
#include "study/run_study.hpp"

#include <gtest/gtest.h>

#include <string>

#include "study/study.hpp"

namespace palstudy {
namespace {

const MovedFiles jobs{"jobs.csv", {}};

Study alone(const std::string& text, std::int64_t run, const MovedFiles& files = jobs) {
  const Study study = parse_study(text, "whole.toml");
  const Study one = parse_study(study_of_run(study, run, files), "jobs.toml");
  EXPECT_EQ(one.runs.size(), 1U);
  return one;
}

constexpr const char* generated = R"(
[cluster]
source = "block"
partitions = 2
[workload]
generator = "philly"
rho = 0.7
estimates = "classes"
[measure]
window_s = 86400
initial = false
[policy]
backfill = "easy"
[axes]
"seed" = [4, 9]
"policy.order" = ["fifo", "qssf"]
"policy.placement" = ["pal-sticky", "packed-sticky"]
)";

// Every run is the same but for where its jobs come from: policies, window and seeds, so that the same cluster is
// drawn. Jobs that run at time 0 are left out as before. No key of the generator or of the estimates is left: they are
// in the trace.
TEST(StudyOfRun, IsTheRunWithAnotherTrace) {
  const Study study = parse_study(generated, "whole.toml");
  for (const RunPlan& run : study.runs) {
    const RunPlan one = alone(generated, run.number).runs.at(0);
    EXPECT_EQ(one.workload.trace, "jobs.csv");
    EXPECT_EQ(one.workload.reader, "native");
    EXPECT_TRUE(one.workload.generator.empty());
    EXPECT_EQ(one.workload.estimates, Estimates::exact);
    EXPECT_EQ(one.workload.predictor, run.workload.predictor);
    EXPECT_EQ(one.policy.order, run.policy.order);
    EXPECT_EQ(one.policy.placement, run.policy.placement);
    EXPECT_EQ(one.policy.backfill, "easy");
    EXPECT_EQ(one.seed, run.seed);
    EXPECT_EQ(one.cluster.seed, run.cluster.seed);
    EXPECT_EQ(one.policy.seed, run.policy.seed);
    EXPECT_EQ(one.cluster.partitions, 2U);
    EXPECT_EQ(one.measure.window_s, run.measure.window_s);
    EXPECT_FALSE(run.measure.initial);
    EXPECT_FALSE(one.measure.initial);
  }
}

// A run that does measure the jobs that run at time 0 goes on doing so.
TEST(StudyOfRun, MeasuresInitialJobsAsTheRunDid) {
  const std::string all = std::string(generated) + "\"measure.initial\" = [true, false]\n";
  const Study study = parse_study(all, "whole.toml");
  for (const RunPlan& run : study.runs)
    EXPECT_EQ(alone(all, run.number).runs.at(0).measure.initial, run.measure.initial);
}

// A predictor draws its errors by workload.seed and the job's id: its parameters and the seed stay.
TEST(StudyOfRun, KeepsPredictors) {
  const RunPlan one = alone(R"(
cluster = { source = "block" }
workload = { generator = "synergy", jobs_per_h = 3, predictor = "lognormal", predictor_sigma = 0.5, seed = 7 }
measure.jobs = { first = 1, last = 30 }
policy.order = "qssf"
)",
                            0)
                          .runs.at(0);
  EXPECT_EQ(one.workload.predictor, "lognormal");
  EXPECT_EQ(one.workload.predictor_params.number("predictor_sigma"), 0.5);
  EXPECT_EQ(one.workload.seed, 7U);
  EXPECT_EQ(one.measure.first, 1);
  EXPECT_EQ(one.measure.last, 30);
}

// A predictor that no order asks is left out, and its parameters with it: alone they are refused.
TEST(StudyOfRun, LeavesOutAPredictorThatNobodyAsks) {
  const RunPlan one = alone(R"(
cluster = { source = "block" }
workload = { trace = "old.csv", reader = "native", predictor = "ewma" }
policy.order = "fewest-gpus"
)",
                            0)
                          .runs.at(0);
  EXPECT_TRUE(one.workload.predictor.empty());
}

// Copies and resampled days are in the trace already; all jobs of a resampled one are measured. A system of an axis
// becomes its keys.
TEST(StudyOfRun, LeavesOutWhatMadeTheJobs) {
  const std::string text = R"(
[cluster]
source = "block"
[workload]
trace = "long.csv"
reader = "native"
resample = "days"
copies = 2
copies_length_s = 864000
[axes]
"policy.system" = [{ name = "one", order = "las", scheduler = "list" }, { name = "two", order = "fifo", scheduler = "list" }]
)";
  const RunPlan one = alone(text, 0).runs.at(0);
  EXPECT_EQ(one.policy.order, "las");
  EXPECT_EQ(one.workload.resampling, Resampling::none);
  EXPECT_EQ(one.workload.copies.copies, 1);
  EXPECT_EQ(one.measured.by, MeasuredBy::all);
}

// Inputs lie elsewhere, seen from the new study; what is no path stays.
TEST(StudyOfRun, MovesFiles) {
  const RunPlan one = alone(R"(
cluster = { table = "scores.csv", outages = "outages.csv" }
workload = { trace = "old.csv", reader = "native" }
)",
                            0, {"new.csv", {{"scores.csv", "../data/scores.csv"}, {"old.csv", "../data/old.csv"}}})
                          .runs.at(0);
  EXPECT_EQ(one.cluster.table, "../data/scores.csv");
  EXPECT_EQ(one.cluster.outages, "outages.csv");
  EXPECT_EQ(one.workload.trace, "new.csv");
}

}  // namespace
}  // namespace palstudy
