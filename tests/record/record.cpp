// SPDX-License-Identifier: MIT
#include "record/record.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "core/error.hpp"
#include "message_of.hpp"
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

// Counts of a failed run are -1 and what is measured is NaN, for every metric; its slowdowns are not known.
TEST(Record, AFailedRunHasNoMetric) {
  const auto record = make_failed_record(test::SmallRun().label, "no room");
  for (const MetricInfo& metric : metric_infos) {
    if (metric.use != MetricUse::always) continue;
    const std::string name(metric.name);
    if (metric.type == MetricType::count) {
      EXPECT_EQ(integers(record.runs, name), std::vector<std::int64_t>{-1}) << name;
    } else {
      EXPECT_TRUE(std::isnan(reals(record.runs, name).at(0))) << name;
    }
  }
  EXPECT_EQ(record.run, 7);
  EXPECT_EQ(record.id, "0123456789abcdef");
  EXPECT_EQ(record.reason, "no room");
  EXPECT_TRUE(std::isnan(reals(record.provenance, "slowdown_max").at(0)));
  EXPECT_EQ(record.nodes.rows(), 0U);
}

// An axis of texts has its numbers as texts, and one of numbers its integers as numbers. What does not fit the type of
// its axis is no value of it, and every axis has one.
TEST(Record, AxisValuesFitTheirAxis) {
  test::SmallRun run;
  const auto refused = [&](const Axis& axis, const std::vector<AxisValue>& values) -> std::string {
    run.label.axes = {axis};
    run.label.values = values;
    return message_of([&] { (void)run.record(); });
  };
  const Axis whole{"workload.seed", ColumnType::integer}, number{"engine.round_s", ColumnType::real};
  EXPECT_EQ(refused(whole, {0.5}), "workload.seed: the axis is of integers, one value is not");
  EXPECT_EQ(refused(whole, {std::string("5")}), "workload.seed: the axis is of integers, one value is not");
  EXPECT_EQ(refused(number, {std::string("5")}), "engine.round_s: the axis is of numbers, one value is not");
  EXPECT_EQ(refused(number, {}), "run 0123456789abcdef: not one value for each axis");
  run.label.axes = {{"cluster.bins", ColumnType::text}, number, {"workload.rho", ColumnType::text}};
  run.label.values = {std::int64_t{4}, 0.5, 0.25};
  const auto runs = run.record().runs;
  EXPECT_EQ(texts(runs, "cluster.bins"), std::vector<std::string>{"4"});
  EXPECT_EQ(reals(runs, "engine.round_s"), std::vector<double>{0.5});
  EXPECT_EQ(texts(runs, "workload.rho"), std::vector<std::string>{"0.25"});
}

// The slowest GPU is that of all classes, also where every one is faster than the median.
TEST(Record, ProvenanceIsThatOfTheRun) {
  test::SmallRun run;
  run.truth = Slowdowns({"A", "B"}, 6, {0.9, 0.8, 0.9, 0.9, 0.9, 0.9, 0.7, 0.7, 0.95, 0.7, 0.7, 0.7});
  run.label.peak_rss_mib = 12.5;
  run.label.cores = 4;
  const auto provenance = run.record().provenance;
  EXPECT_EQ(reals(provenance, "slowdown_max"), std::vector<double>{0.95});
  EXPECT_EQ(reals(provenance, "wall_s"), std::vector<double>{0.25});
  EXPECT_EQ(reals(provenance, "peak_rss_mib"), std::vector<double>{12.5});
  EXPECT_EQ(integers(provenance, "cores"), std::vector<std::int64_t>{4});
  EXPECT_EQ(texts(provenance, "reason"), std::vector<std::string>{""});
}

// Up to 16,384 nodes are listed, half of them in each of two partitions; of those that nobody has counted GPU-seconds
// of none are known.
TEST(Record, NodesAreListedUpToALimit) {
  const test::SmallRun run;
  const auto nodes_of = [&](std::uint32_t nodes) {
    const Topology topology(std::array{NodeGroup{nodes, 1}}, 2);
    return make_record(run.label, run.result, run.workload, Slowdowns::flat({"A"}, nodes), topology,
                       Partitioning(topology, 2), {false, false, false})
        .nodes;
  };
  const TableData all = nodes_of(16384);
  EXPECT_EQ(all.rows(), 16384U);
  EXPECT_EQ(reals(all, "busy_s").at(2), 720);
  EXPECT_TRUE(std::isnan(reals(all, "busy_s").at(3)));
  EXPECT_EQ(integers(all, "partition").at(8191), 0);
  EXPECT_EQ(integers(all, "partition").at(8192), 1);
  EXPECT_EQ(nodes_of(16385).rows(), 0U);
}

// Attempts that failed name the jobs as the trace does and their reasons in words, and a node has as many faults as it
// is at fault for; a job that is over has the status that failures give it, one that is not whether it started.
TEST(Record, FailuresFollowTheirDefinitions) {
  test::SmallRun run;
  EXPECT_TRUE(run.record().failures.columns.empty());
  run.result.with_failures = true;
  run.result.failure_reasons = {"user", "hardware"};
  run.result.failures.push_back({JobId(1), 2, 1, 1, 2, 5, 700, 300, 250});
  run.result.failures.push_back({JobId(0), 1, 0, 0, -1, -1, 800, 60, 0});
  run.result.failures.push_back({JobId(1), 3, 1, 1, 2, -1, 900, 10, 7});
  run.result.jobs.status = {JobStatus::killed, JobStatus::none, JobStatus::none};
  const auto record = run.record();
  using Integers = std::vector<std::int64_t>;
  EXPECT_EQ(integers(record.failures, "job"), (Integers{50, 70, 50}));
  EXPECT_EQ(integers(record.failures, "attempt"), (Integers{2, 1, 3}));
  EXPECT_EQ(texts(record.failures, "reason"), (std::vector<std::string>{"hardware", "user", "hardware"}));
  EXPECT_EQ(integers(record.failures, "gpus"), (Integers{1, 0, 1}));
  EXPECT_EQ(integers(record.failures, "node"), (Integers{2, -1, 2}));
  EXPECT_EQ(integers(record.failures, "gpu"), (Integers{5, -1, -1}));
  EXPECT_EQ(reals(record.failures, "time_s"), (std::vector<double>{700, 800, 900}));
  EXPECT_EQ(reals(record.failures, "run_s"), (std::vector<double>{300, 60, 10}));
  EXPECT_EQ(reals(record.failures, "lost_s"), (std::vector<double>{250, 0, 7}));
  EXPECT_EQ(integers(record.nodes, "faults"), (Integers{0, 0, 2}));
  EXPECT_EQ(texts(record.jobs, "status"), (std::vector<std::string>{"killed", "running", "waiting"}));
  run.result.jobs.finished = {1, 1, 1};
  run.result.jobs.status = {JobStatus::passed, JobStatus::killed, JobStatus::unsuccessful};
  EXPECT_EQ(texts(run.record().jobs, "status"), (std::vector<std::string>{"passed", "killed", "unsuccessful"}));
}

// Waits by cause are those of the rows of /jobs; nodes and shares are over the time in which GPUs were held: 1,200
// node-seconds and 150 s beside neighbours in 600 s. Without rows of jobs there are none.
TEST(Record, DelaysFollowTheirDefinitions) {
  test::SmallRun run;
  DelayRows& rows = run.result.delays;
  for (std::size_t cause = 0; cause < delay_causes; ++cause) {
    const auto first = static_cast<double>(10 * cause);
    rows.seconds.at(cause) = {first, first + 1, first + 2};
  }
  rows.node_s = {1200, 720, 0};
  rows.shared_s = {150, 0, 0};
  const auto delays = run.record().delays;
  EXPECT_EQ(integers(delays, "job"), (std::vector<std::int64_t>{70, 50, 60}));
  EXPECT_EQ(reals(delays, "fair_share_s"), (std::vector<double>{0, 1, 2}));
  EXPECT_EQ(reals(delays, "fragmentation_s"), (std::vector<double>{10, 11, 12}));
  EXPECT_EQ(reals(delays, "gang_s"), (std::vector<double>{20, 21, 22}));
  EXPECT_EQ(reals(delays, "locality_s"), (std::vector<double>{30, 31, 32}));
  expect_reals(reals(delays, "nodes_mean"), {2, 1, test::SmallRun::nan});
  expect_reals(reals(delays, "shared_fraction"), {0.25, 0, test::SmallRun::nan});
  EXPECT_TRUE(run.record({false, true, true}).delays.columns.empty());
}

// Energy is by state of the nodes and, of busy ones, by class of the jobs; jobs and runs have columns of it, and of
// waits for power, only in such runs, and neither is in the digest of a run's metrics.
TEST(Record, EnergyAndWaitsForPowerHaveColumnsWhereTheyAreKnown) {
  test::SmallRun run;
  const auto plain = run.record();
  for (const char* name : {"energy_j", "power_wait_s"}) EXPECT_EQ(plain.jobs.find(name), nullptr) << name;
  for (const char* name : {"energy_j", "power_wait_mean_s"}) EXPECT_EQ(plain.runs.find(name), nullptr) << name;
  run.result.power.push_back(PowerState::busy, 1, 10, 20, 15, 3000);
  run.result.power.push_back(PowerState::booting, -1, 1, 2, 0, 50);
  run.result.job_energy_j = {100, 200, 300};
  run.result.power_wait_s = {4, 5, 6};
  const auto record = run.record();
  EXPECT_EQ(texts(record.power, "state"), (std::vector<std::string>{"busy", "booting"}));
  EXPECT_EQ(texts(record.power, "class"), (std::vector<std::string>{"B", ""}));
  EXPECT_EQ(reals(record.power, "node_s"), (std::vector<double>{10, 1}));
  EXPECT_EQ(reals(record.power, "gpu_s"), (std::vector<double>{20, 2}));
  EXPECT_EQ(reals(record.power, "work_s"), (std::vector<double>{15, 0}));
  EXPECT_EQ(reals(record.power, "energy_j"), (std::vector<double>{3000, 50}));
  EXPECT_EQ(reals(record.jobs, "energy_j"), (std::vector<double>{100, 200, 300}));
  EXPECT_EQ(reals(record.jobs, "power_wait_s"), (std::vector<double>{4, 5, 6}));
  for (const char* name : {"energy_j", "power_wait_mean_s"}) {
    EXPECT_NE(record.runs.find(name), nullptr) << name;
    EXPECT_FALSE(find_column(TableId::runs, name)->digested) << name;
  }
}

}  // namespace
}  // namespace palstudy
