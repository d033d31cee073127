// SPDX-License-Identifier: MIT
// What `plan` simulates, where it cuts it, and for which other runs it stands. Seconds are never looked at, since every
// machine has its own.
#include <fmt/format.h>

#include "campaign/cost.hpp"
#include "campaign/scratch.hpp"
#include "core/numbers.hpp"
#include "inputs/inputs.hpp"

namespace palstudy {
namespace {

class StudyPlans : public Scratch {
 protected:
  // Sixteen GPUs; 120 jobs that together want more than there are, so that under las all of them take turns.
  Study busy(const std::string& axes, const std::string& order = "las") const {
    write_cluster(16);
    write_trace_of(
        120, [](int job) { return fmt::format("{},{},{},1,A", 100 * job, 1 + job % 4, 2000 + 370 * (job % 11)); });
    return read(minimal + "cluster.gpus = 16\nmeasure.jobs = { first = 0, last = 119 }\nengine.round_s = 60\n" +
                "policy.order = \"" + order + "\"\n" + axes);
  }
  static StudyPlan plan_of(const Study& study, const PlanOptions& options) {
    Inputs inputs(study);
    (void)inputs.check();
    return plan_study(study, inputs, options);
  }
  static double rows_of(const TableData& table) { return static_cast<double>(table.rows()); }
};

const std::string one_placement = "policy.placement = \"packed-sticky\"\n";
const std::string two_points =
    "output.events = true\noutput.rounds = true\n[axes]\nseed = [1, 2, 3]\n"
    "\"policy.placement\" = [\"pal\", \"packed-sticky\"]\n";
const PlanOptions to_the_end{.budget_s = infinity};

void expect_within(double factor, double told, double used, const std::string& what) {
  EXPECT_GT(used, 0) << what;
  EXPECT_LE(told, factor * used) << what;
  EXPECT_GE(told, used / factor) << what;
}

// Seeds of a trace change the draws of the policy alone: of the run that was simulated every row is known, and of the
// others nearly.
TEST_F(StudyPlans, CountTheRowsOfARunThatEnded) {
  const Study study = busy(two_points);
  const StudyPlan plan = plan_of(study, to_the_end);
  const std::vector<RunRecord> records = simulate_all(study);
  ASSERT_EQ(plan.points.size(), 2u);
  for (const PlannedPoint& point : plan.points) {
    EXPECT_EQ(point.from, CostFrom::ended);
    ASSERT_EQ(point.runs.size(), 3u);
    const auto& rows = plan.work[point.runs.front()].rows;
    const RunRecord& record = records[point.runs.front()];
    EXPECT_EQ(rows.at(TableId::jobs), 120);
    EXPECT_EQ(rows.at(TableId::events), rows_of(record.events));
    EXPECT_EQ(rows.at(TableId::event_gpus), rows_of(record.event_gpus));
    EXPECT_EQ(rows.at(TableId::rounds), rows_of(record.rounds));
  }
}

// Another seed has other jobs: what is told of runs that were not simulated is within a factor of 2 of what they do.
TEST_F(StudyPlans, ScaleOneSeedToTheOthers) {
  const Study study = read(
      "[cluster]\ngpus = 256\ngpus_per_node = 8\nsource = \"block\"\n[workload]\ngenerator = \"philly\"\nrho = 0.75\n"
      "[measure]\nwarmup_s = 0\nwindow_s = 86400\nend_s = 172800\n[output]\nevents = true\n[axes]\nseed = [1, 2, 3, "
      "4]\n"
      "\"policy.placement\" = [\"pal\", \"packed-sticky\"]\n");
  const StudyPlan plan = plan_of(study, to_the_end);
  const std::vector<RunRecord> records = simulate_all(study);
  for (const PlannedPoint& point : plan.points) {
    double told = 0, used = 0, jobs_told = 0, jobs_used = 0;
    for (const std::size_t run : point.runs) {
      const auto& rows = plan.work[run].rows;
      told += rows.at(TableId::events);
      used += rows_of(records[run].events);
      jobs_told += rows.at(TableId::jobs);
      jobs_used += rows_of(records[run].jobs);
    }
    expect_within(2, told, used, "events");
    expect_within(2, jobs_told, jobs_used, "jobs");
  }
}

// Cut after a fifth of its boundaries, each of which gives a row of /rounds, a run is told as at least what follows
// from the jobs that it has reached, within a factor of 4 of the whole: orders that stop jobs and one that does not,
// and more jobs than fit.
TEST_F(StudyPlans, GiveALowerBoundOfARunThatWasCut) {
  for (const std::string order : {"las", "srtf", "fifo"}) {
    const Study study = busy("output.events = true\noutput.rounds = true\n" + one_placement, order);
    const auto whole = plan_of(study, to_the_end).work.at(0).rows;
    const auto fifth = static_cast<std::uint64_t>(whole.at(TableId::rounds) / 5);
    const StudyPlan cut = plan_of(study, {.budget_s = infinity, .most_boundaries = fifth});
    EXPECT_EQ(cut.points.at(0).from, CostFrom::at_least) << order;
    EXPECT_EQ(cut.points_from(CostFrom::at_least), 1u);
    const auto& told = cut.work.at(0).rows;
    for (const TableId table : {TableId::rounds, TableId::jobs, TableId::events, TableId::event_gpus}) {
      expect_within(4, told.at(table), whole.at(table), fmt::format("{}, table {}", order, static_cast<int>(table)));
    }
    EXPECT_GT(told.at(TableId::rounds), 2 * static_cast<double>(fifth)) << "it was not carried on";
  }
}

// Without a budget nothing is begun; with one all is.
TEST_F(StudyPlans, SimulateNothingWithoutABudget) {
  const Study study = busy(two_points);
  bool begun = false;
  PlanOptions options{.budget_s = 0};
  options.on_progress = [&](std::size_t, std::size_t) { begun = true; };
  const StudyPlan broke = plan_of(study, options);
  EXPECT_FALSE(begun);
  EXPECT_EQ(broke.points_from(CostFrom::formula), 2u);
  for (const RunCost& run : broke.cost.runs) EXPECT_GT(run.core_s, 0);
  options.budget_s = infinity;
  EXPECT_EQ(plan_of(study, options).points_from(CostFrom::formula), 0u);
  EXPECT_TRUE(begun);
}

// All but seconds is the same again.
TEST_F(StudyPlans, AreReproducible) {
  const Study study = busy(two_points);
  const StudyPlan a = plan_of(study, to_the_end), b = plan_of(study, to_the_end);
  EXPECT_EQ(a.cost.disk_mib, b.cost.disk_mib);
  EXPECT_EQ(a.cost.memory_mib, b.cost.memory_mib);
  EXPECT_EQ(a.cost.shards_mib, b.cost.shards_mib);
  for (std::size_t i = 0; i < study.runs.size(); ++i) EXPECT_EQ(a.work[i].rows, b.work[i].rows);
}

}  // namespace
}  // namespace palstudy
