// SPDX-License-Identifier: MIT
#include "archive/verify.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "archive/archive_runs.hpp"
#include "archive/damage_chunk.hpp"
#include "archive/provenance.hpp"
#include "archive/reader.hpp"
#include "archive/run_slices.hpp"
#include "archive/write_archive.hpp"
#include "bundle/anonymous_copy.hpp"
#include "record/tables.hpp"
#include "sim/output/metrics.hpp"
#include "verified.hpp"

namespace palstudy::test {
namespace {

/// What verify says of an archive of these records.
std::vector<std::string> findings(const std::vector<RunRecord>& records) {
  const TempDir dir;
  write_archive(dir.path() / "a.h5", records, two_clusters(), some_provenance());
  return verified_archive(dir.path() / "a.h5");
}

bool any_names(const std::vector<std::string>& all, const std::string& dataset) {
  for (const std::string& finding : all) {
    if (finding.find(dataset) != std::string::npos) return true;
  }
  return false;
}

template <class T>
void set_cell(TableData& table, const std::string& column, std::size_t row, T value) {
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (table.columns[c].name == column) std::get<std::vector<T>>(table.values[c])[row] = value;
  }
}

TEST(ArchiveVerify, AGoodArchiveHasNoFindings) { EXPECT_EQ(findings(three_runs()), std::vector<std::string>{}); }

// Rows that were changed after the digest was taken.
TEST(ArchiveVerify, ChangedRowsChangeTheDigest) {
  auto records = three_runs();
  set_cell(records[1].rounds, "queued", 0, std::int64_t{99});
  const auto all = findings(records);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_NE(all[0].find("/runs/digest: run 1"), std::string::npos) << all[0];
}

// A metric that is off by 1.5 parts in 10^9 with a digest that fits it: the rows of /jobs say otherwise. Half a part,
// on either side, is rounding.
TEST(ArchiveVerify, MetricsAreHeldAgainstRows) {
  const auto with_mean = [](double factor) {
    MeasuredRun run(0);
    run.set(Metric::jct_mean_s, 950 * factor);
    return findings({run.record()});
  };
  const auto all = with_mean(1 + 1.5e-9);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_NE(all[0].find("/runs/jct_mean_s: run 0"), std::string::npos) << all[0];
  EXPECT_EQ(with_mean(1 - 1.5e-9).size(), 1U);
  EXPECT_TRUE(with_mean(1 + 0.5e-9).empty());
  EXPECT_TRUE(with_mean(1 - 0.5e-9).empty());
}

TEST(ArchiveVerify, EveryMetricThatRowsGiveIsHeldAgainstThem) {
  for (const Metric metric :
       {Metric::jct_p50_s, Metric::jct_p95_s, Metric::jct_p99_s, Metric::wait_mean_s, Metric::bounded_slowdown_mean,
        Metric::makespan_s, Metric::preemptions, Metric::migrations, Metric::jobs_unfinished}) {
    MeasuredRun run(0);
    run.set(metric, 4242);
    const std::string name(metric_infos[static_cast<std::size_t>(metric)].name);
    EXPECT_TRUE(any_names(findings({run.record()}), "/runs/" + name)) << name;
  }
}

// Energies follow from /power and the mean completion time, with rows of jobs and without: 7,000 J for half a GPU-hour
// of work.
TEST(ArchiveVerify, EnergiesAreHeldAgainstPower) {
  const auto with = [](Metric changed, double factor, const OutputTables& tables) {
    MeasuredRun run(0);
    run.result.power.push_back(PowerState::busy, 0, 1000, 2000, 1800, 6000);
    run.result.power.push_back(PowerState::idle, -1, 500, 1000, 0, 1000);
    run.set(Metric::energy_j, 7000);
    run.set(Metric::energy_delay, 7000 * 950);
    run.set(Metric::joules_per_gpu_hour, 14000);
    run.result.metrics[static_cast<std::size_t>(changed)] *= factor;
    return findings({run.record(tables)});
  };
  for (const OutputTables& tables : {OutputTables{.jobs = true}, OutputTables{.jobs = false}}) {
    EXPECT_EQ(with(Metric::energy_j, 1, tables), std::vector<std::string>{});
    for (const Metric metric : metrics_of_energy) {
      EXPECT_TRUE(any_names(with(metric, 1 + 1e-8, tables), "/runs/" + std::string(name_of(metric))))
          << name_of(metric);
    }
  }
}

// A run that `measure.end_s` ended counts jobs that had not arrived as unfinished, and they have no row: their number
// is not in the rows, but is never below what is, and the other metrics still follow. Where no run can end early, or
// all jobs finished, the rows say all.
TEST(ArchiveVerify, JobsThatHadNotArrivedHaveNoRow) {
  const auto of = [](const std::string& study, double unfinished, double makespan_s = SmallRun::nan) {
    MeasuredRun run(0);
    run.set(Metric::jobs_unfinished, unfinished);
    run.set(Metric::makespan_s, makespan_s);
    Provenance from = some_provenance();
    from.resolved_study = study;
    const TempDir dir;
    write_archive(dir.path() / "a.h5", {run.record()}, two_clusters(), from);
    return verified_archive(dir.path() / "a.h5");
  };
  const std::string early = "[measure]\nend_s = 2000.0\n", on_axis = "[axes]\n\"measure.end_s\" = [5.0, inf]\n";
  EXPECT_EQ(of(early, 766), std::vector<std::string>{});
  EXPECT_EQ(of(on_axis, 766), std::vector<std::string>{});
  EXPECT_TRUE(any_names(of(early, 0), "/runs/jobs_unfinished")) << "one has a row";
  EXPECT_TRUE(any_names(of(early, 766, 960), "/runs/makespan_s")) << "there is none yet";
  EXPECT_TRUE(any_names(of("[measure]\nend_s = inf\n", 766), "/runs/jobs_unfinished"));
}

/// Two solutions of run 0 as they should be, a maximized objective and a minimized one of many jobs, whose bound is 0.5
/// % lower.
MeasuredRun with_solves() {
  MeasuredRun run(0);
  run.result.solves = {{0, 360},  {0, 0}, {ShareObjective::max_min, ShareObjective::makespan},
                       {2, 2000}, {1, 9}, {2, 1000},
                       {2, 995},  {3, 40}};
  return run;
}

TEST(ArchiveVerify, SolutionsWithTheirBoundsHold) {
  const RunRecord record = with_solves().record();
  EXPECT_EQ(findings({record}), std::vector<std::string>{});
  EXPECT_EQ(record.digest, MeasuredRun(0).record().digest) << "solutions are in no digest";
  EXPECT_EQ(reals_of(record.solves, "gap"), std::vector<double>({0, 0.005}));
}

// A dual value below a maximized primal one, or above a minimized one, or too far on the right side, is no bound that
// proves anything; of few jobs 0.5 % is too far. A gap must follow from both, and rows stand in the order of time.
TEST(ArchiveVerify, ChangedSolutionsAreFound) {
  const auto changed = [](auto change) {
    MeasuredRun run = with_solves();
    change(run.result.solves);
    return any_names(findings({run.record()}), "/solves: row");
  };
  EXPECT_TRUE(changed([](SolveRows& rows) { rows.dual[0] = 2 * (1 - 1e-5); }));
  EXPECT_TRUE(changed([](SolveRows& rows) { rows.dual[0] = 2 * (1 + 1e-5); }));
  EXPECT_FALSE(changed([](SolveRows& rows) { rows.dual[0] = 2 * (1 + 1e-7); }));
  EXPECT_TRUE(changed([](SolveRows& rows) { rows.dual[1] = 1001; })) << "1e-3 the wrong way";
  EXPECT_TRUE(changed([](SolveRows& rows) { rows.dual[1] = 980; }));
  EXPECT_TRUE(changed([](SolveRows& rows) { rows.jobs[1] = 1000; })) << "not so many that buckets are used";
  EXPECT_TRUE(changed([](SolveRows& rows) { rows.groups[0] = 3; })) << "more groups than jobs";
  EXPECT_TRUE(changed([](SolveRows& rows) { rows.time_s[1] = 0; })) << "twice at one time";
  RunRecord record = with_solves().record();
  set_cell(record.solves, "gap", 1, 0.004);
  EXPECT_TRUE(any_names(findings({record}), "/solves: row 1 of run 0"));
}

// Rows of a run that /runs does not have are in no digest, so they are looked for.
TEST(ArchiveVerify, RowsOfUnknownRunsAreFound) {
  auto records = three_runs();
  set_cell(records[2].nodes, "run", 2, std::int64_t{9});
  EXPECT_TRUE(any_names(findings(records), "/nodes/run"));
}

TEST(ArchiveVerify, OffsetsOutsideTheGpusAreFound) {
  auto records = three_runs();
  set_cell(records[1].events, "gpu_begin", 1, std::int64_t{1});
  EXPECT_TRUE(any_names(findings(records), "/events/gpu_begin"));
  records = three_runs();
  set_cell(records[2].events, "gpu_count", 0, std::int64_t{1000000});
  EXPECT_TRUE(any_names(findings(records), "/events/gpu"));
}

// Two finished jobs of 100 and 300 s, one measured job that did not finish, one that is not measured and would spoil
// everything. Quantiles of {100, 300} by linear interpolation: 200, 290, 298. Waits: 100 - 60 and 300 - 60. Bounded
// slowdowns: ideal 5 s counts as 10, so 10; ideal 400 s gives 0.75, which counts as 1.
TEST(ArchiveVerify, MetricsByHand) {
  TableData jobs;
  const auto real = [&](const char* name, std::vector<double> values) {
    jobs.columns.push_back(*find_column(TableId::jobs, name));
    jobs.values.emplace_back(std::move(values));
  };
  const auto integer = [&](const char* name, std::vector<std::int64_t> values) {
    jobs.columns.push_back(*find_column(TableId::jobs, name));
    jobs.values.emplace_back(std::move(values));
  };
  real("submit_s", {0, 100, 50, 0});
  real("finish_s", {100, 400, SmallRun::nan, 9000});
  real("exec_s", {60, 60, 10, 1});
  real("ideal_s", {5, 400, 10, 1});
  integer("measured", {1, 1, 1, 0});
  integer("preemptions", {1, 0, 4, 100});
  integer("migrations", {2, 3, 0, 100});
  auto metrics = recomputed_metrics(jobs);
  EXPECT_DOUBLE_EQ(metrics["jct_mean_s"], 200);
  EXPECT_DOUBLE_EQ(metrics["jct_p50_s"], 200);
  EXPECT_DOUBLE_EQ(metrics["jct_p95_s"], 290);
  EXPECT_DOUBLE_EQ(metrics["jct_p99_s"], 298);
  EXPECT_DOUBLE_EQ(metrics["wait_mean_s"], 140);
  EXPECT_DOUBLE_EQ(metrics["bounded_slowdown_mean"], 5.5);
  EXPECT_TRUE(std::isnan(metrics["makespan_s"]));
  EXPECT_EQ(metrics["jobs_unfinished"], 1);
  EXPECT_EQ(metrics["preemptions"], 5);
  EXPECT_EQ(metrics["migrations"], 5);
  std::get<std::vector<double>>(jobs.values[1])[2] = 500;  // all in rows have finished, and two have not arrived
  EXPECT_EQ(recomputed_metrics(jobs)["makespan_s"], 500);
  metrics = recomputed_metrics(jobs, 2);
  EXPECT_TRUE(std::isnan(metrics["makespan_s"]));
  EXPECT_EQ(metrics["jobs_unfinished"], 2);
  EXPECT_EQ(metrics["migrations"], 5);
}

// Close to 0 an absolute difference counts, 1e-8, ten times the tolerance of the solver: 0.9e-8 is allowed on both
// sides of the primal value, 1.1e-8 is not.
TEST(ArchiveVerify, SolutionsCloseToZeroMayDifferByTheSolversTolerance) {
  for (const double apart : {-1.1e-8, -0.9e-8, 0.9e-8, 1.1e-8}) {
    MeasuredRun run = with_solves();
    run.result.solves.primal[0] = 1e-4;
    run.result.solves.dual[0] = 1e-4 + apart;
    EXPECT_EQ(any_names(findings({run.record()}), "/solves: row 0"), std::abs(apart) > 1e-8) << apart;
    run.result.solves.primal[0] = 0;  // the gap is infinite then
    run.result.solves.dual[0] = apart;
    EXPECT_EQ(any_names(findings({run.record()}), "/solves: row 0"), std::abs(apart) > 1e-8) << apart << " from 0";
  }
}

// Partitions solve at the same times, in their order; counts below 0 and an objective that there is none of cannot be.
TEST(ArchiveVerify, SolutionsHaveAnOrderCountsAndAnObjective) {
  MeasuredRun together = with_solves();
  together.result.solves.time_s[1] = 0;
  together.result.solves.partition[1] = 1;
  EXPECT_EQ(findings({together.record()}), std::vector<std::string>{});
  for (const char* column : {"jobs", "groups", "iterations"}) {
    RunRecord record = with_solves().record();
    set_cell(record.solves, column, 0, std::int64_t{-1});
    EXPECT_TRUE(any_names(findings({record}), "row 0 of run 0: its counts cannot be")) << column;
  }
  RunRecord record = with_solves().record();
  TableData& solves = record.solves;
  for (std::size_t c = 0; c < solves.columns.size(); ++c) {
    if (solves.columns[c].name == "objective") std::get<TextColumn>(solves.values[c]).names[0] = "max-max";
  }
  EXPECT_TRUE(any_names(findings({record}), "objective \"max-max\" is not known"));
}

const std::string restore_or_run_again = "; restore the file from a copy or run the study again";

// A solution's row says which of the values does not follow from which. A gap may be off by rounding, 1e-12; a primal
// value may be better than its bound by a part in a million.
TEST(ArchiveVerify, WhatIsWrongWithASolutionIsSaid) {
  const auto found = [](auto change) {
    RunRecord record = with_solves().record();
    change(record.solves);
    return findings({record});
  };
  const auto with = [&](double dual, double gap) {
    return found([&](TableData& solves) { set_cell(solves, "dual", 1, dual), set_cell(solves, "gap", 1, gap); });
  };
  const std::string row = "/solves: row 1 of run 0: ";
  EXPECT_EQ(with(995, 0.004),
            std::vector<std::string>{row + "gap 0.004 is stored, primal 1000 and dual 995 give 0.005" +
                                     restore_or_run_again});
  EXPECT_EQ(with(980, 0.02), std::vector<std::string>{row +
                                                      "primal 1000 and dual 980 are further apart than 0.01 of the "
                                                      "primal value" +
                                                      restore_or_run_again});
  EXPECT_EQ(with(1001, 0.001), std::vector<std::string>{row +
                                                        "primal 1000 and dual 1001 of makespan: the primal value "
                                                        "is better than its bound" +
                                                        restore_or_run_again});
  EXPECT_EQ(with(995, 0.005 + 1.5e-12).size(), 1U);
  EXPECT_EQ(with(995, 0.005 + 0.5e-12).size(), 0U);
  EXPECT_EQ(with(1000 + 1.5e-3, 1.5e-6).size(), 1U);
  EXPECT_EQ(with(1000 + 0.5e-3, 0.5e-6).size(), 0U);
  EXPECT_EQ(
      found([](TableData& solves) { set_cell(solves, "time_s", 1, -1.0); }),
      std::vector<std::string>{row + "it does not follow the row before by time and partition" + restore_or_run_again});
}

// /nodes is in no digest, so only the schema tells that a column is missing, or stands behind one that it precedes; the
// columns of the classes stand between the others, and user and energy, of which this study has none, may be missing.
TEST(ArchiveVerify, ColumnsAreThoseOfTheSchemaInItsOrder) {
  const auto found = [](const std::string& column, bool put_last) {
    RunRecord record = MeasuredRun(0).record();
    TableData& nodes = record.nodes;
    for (std::size_t c = 0; c < nodes.columns.size(); ++c) {
      if (nodes.columns[c].name != column) continue;
      const Column moved = nodes.columns[c];
      const ColumnValues values = nodes.values[c];
      nodes.columns.erase(nodes.columns.begin() + static_cast<std::ptrdiff_t>(c));
      nodes.values.erase(nodes.values.begin() + static_cast<std::ptrdiff_t>(c));
      if (put_last) nodes.columns.push_back(moved), nodes.values.push_back(values);
      break;
    }
    return findings({record});
  };
  const std::string missing = ": the column is missing or not in schema order" + restore_or_run_again;
  EXPECT_EQ(found("faults", false), std::vector<std::string>{"/nodes/faults" + missing});
  EXPECT_EQ(found("busy_s", false), std::vector<std::string>{"/nodes/busy_s" + missing});
  EXPECT_EQ(found("busy_s", true), std::vector<std::string>{"/nodes/faults" + missing});
  EXPECT_EQ(found("slowdown_A", true), std::vector<std::string>{});
}

// Which rows belong to no run, or to another than /runs says, is told with their numbers: three runs of three rows in
// /nodes and /jobs, and of events with 2, 1 and 2 GPUs.
TEST(ArchiveVerify, RowsThatAreElsewhereAreCounted) {
  auto records = three_runs();
  set_cell(records[2].nodes, "run", 1, std::int64_t{9});
  set_cell(records[2].nodes, "run", 2, std::int64_t{9});
  EXPECT_EQ(findings(records),
            std::vector<std::string>{"/nodes/run: 2 rows belong to no run of /runs" + restore_or_run_again});
  records = three_runs();
  set_cell(records[1].jobs, "run", 0, std::int64_t{0});
  auto all = findings(records);
  const std::string place = "/runs/job_begin, /runs/job_count: ";
  EXPECT_TRUE(any_names(all, place + "run 0 says 3 rows from 0, /jobs has 4 from 0" + restore_or_run_again));
  EXPECT_TRUE(any_names(all, place + "run 1 says 3 rows from 3, /jobs has 2 from 4" + restore_or_run_again));
  EXPECT_FALSE(any_names(all, place + "run 2"));
  // The same number of rows elsewhere, down to the one row of a run with one job.
  records = three_runs();
  records[1].jobs = slice(records[1].jobs, 0, 1);
  set_cell(records[1].jobs, "run", 0, std::int64_t{0});
  set_cell(records[2].jobs, "run", 0, std::int64_t{1});
  EXPECT_TRUE(
      any_names(findings(records), place + "run 1 says 1 rows from 3, /jobs has 1 from 4" + restore_or_run_again));
  records = three_runs();
  set_cell(records[1].events, "gpu_begin", 1, std::int64_t{1});
  EXPECT_TRUE(any_names(findings(records), "/events/gpu_begin: row 4 says 6, expected 7" + restore_or_run_again));
  records = three_runs();
  set_cell(records[2].events, "gpu_count", 2, std::int64_t{3});
  all = findings(records);
  EXPECT_TRUE(any_names(all, "/events/gpu: has 15 rows, the events need 16" + restore_or_run_again));
  EXPECT_TRUE(any_names(all, "event 2 of run 2 does not have its GPUs after those of the event before"));
}

// What the root says of the runs and of the study is held against both, also under a checksum that was made again.
TEST(ArchiveVerify, TheRootIsHeldAgainstRunsAndStudy) {
  const TempDir dir;
  Provenance from = some_provenance();
  from.resolved_study = "seed = 1\n";
  write_archive(dir.path() / "a.h5", three_runs(), two_clusters(), from);
  const auto altered = [&](const std::string& attribute, const std::string& value) {
    NumberedNames names;
    Overrides instead;
    instead.attributes[attribute] = value;
    copy_anonymously(dir.path() / "a.h5", dir.path() / "b.h5", names, instead);
    return verified_archive(dir.path() / "b.h5");
  };
  const std::string digest = ArchiveReader(dir.path() / "a.h5").digest(), other(64, '0');
  EXPECT_EQ(altered("digest", digest), std::vector<std::string>{});
  EXPECT_EQ(altered("digest", other), std::vector<std::string>{"/ (attribute digest): says " + other +
                                                               ", the runs give " + digest + restore_or_run_again});
  EXPECT_EQ(altered("study", "seed = 2\n"),
            std::vector<std::string>{"/ (attribute study): differs from /study/resolved" + restore_or_run_again});
}

// A dataset that cannot be read is the one finding: what is computed from it would only be the same again.
TEST(ArchiveVerify, WhatCannotBeReadIsFoundOnce) {
  const TempDir dir;
  Provenance from = some_provenance();
  from.resolved_study = "seed = 1\n";
  write_archive(dir.path() / "a.h5", three_runs(), two_clusters(), from);
  damage_chunk(dir.path() / "a.h5", "/study/resolved");
  const auto all = verified_archive(dir.path() / "a.h5");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_NE(all[0].find("a.h5:/study/resolved: cannot read the dataset (HDF5: "), std::string::npos) << all[0];
  EXPECT_NE(all[0].find("restore the file from a copy or make it again"), std::string::npos) << all[0];
}

}  // namespace
}  // namespace palstudy::test
