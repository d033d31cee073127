// SPDX-License-Identifier: MIT
#include "record/record.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "record/digest.hpp"
#include "record/small_run.hpp"

namespace palstudy {
namespace {

std::vector<std::string> names(const TableData& table) {
  std::vector<std::string> all;
  for (const Column& column : table.columns) all.push_back(column.name);
  return all;
}
std::vector<std::int64_t> integers(const TableData& table, const std::string& name) {
  return std::get<std::vector<std::int64_t>>(*table.find(name));
}
std::vector<double> reals(const TableData& table, const std::string& name) {
  return std::get<std::vector<double>>(*table.find(name));
}
std::vector<std::string> texts(const TableData& table, const std::string& name) {
  const auto& column = std::get<TextColumn>(*table.find(name));
  std::vector<std::string> all;
  for (std::size_t i = 0; i < column.codes.size(); ++i) all.push_back(column.at(i));
  return all;
}
/// NaN equals NaN here.
void expect_reals(const std::vector<double>& got, const std::vector<double>& wanted) {
  ASSERT_EQ(got.size(), wanted.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_TRUE(got[i] == wanted[i] || (std::isnan(got[i]) && std::isnan(wanted[i]))) << i << ": " << got[i];
  }
}

// The names and their order are the contract of design 5.3; axes stand after seed and before job_begin, and the axis
// "seed" is not there twice.
TEST(Record, ColumnsOfRunsAreThoseOfTheContract) {
  const auto record = test::SmallRun().record();
  std::vector<std::string> wanted = {
      "run",           "id",        "status",    "seed",  "engine.round_s", "policy.placement",
      "workload.seed", "job_begin", "job_count", "digest"};
  for (const MetricInfo& metric : metric_infos) {
    if (metric.use == MetricUse::always) wanted.emplace_back(metric.name);
  }
  EXPECT_EQ(names(record.runs), wanted);
}

TEST(Record, ColumnsOfTheOtherTablesAreThoseOfTheContract) {
  const auto record = test::SmallRun().record();
  using Names = std::vector<std::string>;
  EXPECT_EQ(names(record.jobs),
            (Names{"run",          "job",         "class",      "model",         "tenant",          "gpus",
                   "partition",    "submit_s",    "start_s",    "finish_s",      "jct_s",           "wait_s",
                   "exec_s",       "ideal_s",     "status",     "attempts",      "measured",        "slowdown_mean",
                   "penalty_mean", "preemptions", "migrations", "gpu_util_mean", "mem_bw_util_mean"}));
  EXPECT_EQ(names(record.events), (Names{"run", "time_s", "kind", "job", "gpu_begin", "gpu_count"}));
  EXPECT_EQ(names(record.event_gpus), (Names{"gpu"}));
  EXPECT_EQ(names(record.rounds), (Names{"run", "time_s", "queued", "running", "free_gpus", "demand_gpus"}));
  EXPECT_EQ(names(record.nodes),
            (Names{"run", "node", "partition", "cabinet", "slowdown_A", "slowdown_B", "busy_s", "faults"}));
  EXPECT_EQ(names(record.provenance), (Names{"run", "wall_s", "peak_rss_mib", "cores", "slowdown_max", "reason"}));
}

// Every fixed column says its unit and what it is in one sentence; /nodes and provenance are outside of the digest.
TEST(Record, EveryColumnIsDescribed) {
  for (const Column& column : schema_columns()) {
    EXPECT_FALSE(column.units.empty()) << column.name;
    EXPECT_FALSE(column.long_name.empty()) << column.name;
    if (column.name.ends_with("_s")) {
      const bool gpu_seconds = column.long_name.find("GPU-seconds") != std::string_view::npos;
      EXPECT_EQ(column.units, gpu_seconds ? "{GPU}.s" : "s") << column.name << ": " << column.long_name;
    }
    if (column.table == TableId::nodes || column.table == TableId::provenance_runs) {
      EXPECT_FALSE(column.digested) << column.name;
    }
  }
}

// Users are a column only where the workload names some; the digest is the same with and without.
TEST(Record, UsersAreInNoDigest) {
  test::SmallRun run;
  const auto without = run.record();
  EXPECT_EQ(without.jobs.find("user"), nullptr);
  run.workload.users = {"", "u"};
  run.workload.jobs[0].user = 1;
  const auto with = run.record();
  EXPECT_EQ(texts(with.jobs, "user"), (std::vector<std::string>{"u", "", ""}));
  EXPECT_EQ(with.digest, without.digest);
}

// An integer value of an axis of numbers is stored as a number; text as written.
TEST(Record, AxisValuesHaveTheTypeOfTheirAxis) {
  const auto record = test::SmallRun().record();
  EXPECT_EQ(reals(record.runs, "engine.round_s"), std::vector<double>{360});
  EXPECT_EQ(texts(record.runs, "policy.placement"), std::vector<std::string>{"pal"});
  EXPECT_EQ(integers(record.runs, "workload.seed"), std::vector<std::int64_t>{-5});
  EXPECT_EQ(integers(record.runs, "job_count"), std::vector<std::int64_t>{3});
}

// By hand: job 70 came at 10 and finished at 960: jct 950, of which it held GPUs for 600: wait 350. Its model uses 0.9
// of the GPU at slowdown 1; at slowdown 2 x penalty 1.5 a third of that. The others are unfinished: NaN.
TEST(Record, JobRowsFollowTheirDefinitions) {
  const auto jobs = test::SmallRun().record().jobs;
  constexpr double nan = test::SmallRun::nan;
  EXPECT_EQ(integers(jobs, "run"), (std::vector<std::int64_t>{7, 7, 7}));
  EXPECT_EQ(integers(jobs, "job"), (std::vector<std::int64_t>{70, 50, 60}));
  EXPECT_EQ(texts(jobs, "class"), (std::vector<std::string>{"A", "B", "A"}));
  EXPECT_EQ(texts(jobs, "model"), (std::vector<std::string>{"resnet50", "", "resnet50"}));
  EXPECT_EQ(texts(jobs, "status"), (std::vector<std::string>{"finished", "running", "waiting"}));
  expect_reals(reals(jobs, "jct_s"), {950, nan, nan});
  expect_reals(reals(jobs, "wait_s"), {350, nan, nan});
  expect_reals(reals(jobs, "ideal_s"), {200, 1000, 5});
  expect_reals(reals(jobs, "gpu_util_mean"), {0.9 / 3, nan, nan});
  expect_reals(reals(jobs, "mem_bw_util_mean"), {0.6 / 3, nan, nan});
}

// A workload that knows nothing of how its models use GPUs: the use of every job is not known.
TEST(Record, UseOfUnknownModelsIsNotKnown) {
  test::SmallRun run;
  run.workload.model_use.clear();
  constexpr double nan = test::SmallRun::nan;
  expect_reals(reals(run.record().jobs, "gpu_util_mean"), {nan, nan, nan});
  expect_reals(reals(run.record().jobs, "mem_bw_util_mean"), {nan, nan, nan});
}

// Events name the jobs as the trace does, and the GPUs lie in the order of the events, whatever it was in the result.
TEST(Record, EventsLieInOrderWithTheirGpus) {
  const auto record = test::SmallRun().record();
  EXPECT_EQ(texts(record.events, "kind"), (std::vector<std::string>{"launch", "launch", "finish"}));
  EXPECT_EQ(integers(record.events, "job"), (std::vector<std::int64_t>{70, 50, 70}));
  EXPECT_EQ(integers(record.events, "gpu_begin"), (std::vector<std::int64_t>{0, 2, 3}));
  EXPECT_EQ(integers(record.event_gpus, "gpu"), (std::vector<std::int64_t>{0, 1, 4, 0, 1}));
}

// Node 0 has GPUs of slowdown 1 and 3 for class A, so 2; cabinets hold two nodes.
TEST(Record, NodeRowsAreMeansOverTheirGpus) {
  const auto nodes = test::SmallRun().record().nodes;
  EXPECT_EQ(reals(nodes, "slowdown_A"), (std::vector<double>{2, 1, 2}));
  EXPECT_EQ(reals(nodes, "slowdown_B"), (std::vector<double>{1, 1.5, 1}));
  EXPECT_EQ(integers(nodes, "cabinet"), (std::vector<std::int64_t>{0, 0, 1}));
  EXPECT_EQ(reals(nodes, "busy_s"), (std::vector<double>{1200, 0, 720}));
}

TEST(Record, TablesThatWereNotAskedForHaveNoColumns) {
  const auto record = test::SmallRun().record({false, false, false});
  EXPECT_TRUE(record.jobs.columns.empty());
  EXPECT_TRUE(record.events.columns.empty());
  EXPECT_TRUE(record.event_gpus.columns.empty());
  EXPECT_TRUE(record.rounds.columns.empty());
  EXPECT_EQ(integers(record.runs, "job_count"), std::vector<std::int64_t>{0});
}

TEST(Record, AFailedRunKeepsItsReasonAndNoNumbers) {
  const auto record = make_failed_record(test::SmallRun().label, "no room");
  EXPECT_EQ(record.status, RunStatus::failed);
  EXPECT_EQ(texts(record.runs, "status"), std::vector<std::string>{"failed"});
  EXPECT_TRUE(std::isnan(reals(record.runs, "jct_mean_s")[0]));
  EXPECT_EQ(texts(record.provenance, "reason"), std::vector<std::string>{"no room"});
  EXPECT_EQ(record.jobs.rows(), 0U);
  EXPECT_EQ(integers(record.runs, "job_count"), std::vector<std::int64_t>{0});
  EXPECT_EQ(record.digest, run_digest(record));
}

}  // namespace
}  // namespace palstudy
