// SPDX-License-Identifier: MIT
// What a study costs, held against what its runs then make; and refusals of what is too large.
#include "campaign/cost.hpp"

#include <fmt/format.h>

#include <numeric>
#include <set>

#include "campaign/campaign.hpp"
#include "campaign/scratch.hpp"
#include "core/host.hpp"
#include "core/numbers.hpp"
#include "inputs/inputs.hpp"

namespace palstudy {
namespace {

class Costs : public Scratch {
 protected:
  Costs() {
    char name[] = "palstudy";
    argv_[0] = name;
  }
  // Bytes of the archive that the study makes.
  double archive_mib(const Study& study) {
    CampaignOptions options;
    options.output = dir / "out.h5";
    options.force = true;
    EXPECT_EQ(run_campaign(study, options, mpi()), 0);
    return static_cast<double>(std::filesystem::file_size(options.output)) / (1024.0 * 1024.0);
  }
  Mpi& mpi() {
    static Mpi alone(argc_, arguments_);  // no launcher, so MPI never starts
    return alone;
  }
  static Study experiment(const std::string& name, const std::vector<std::string>& overrides) {
    return read_study(std::filesystem::path(PALSTUDY_SOURCE_DIR) / "experiments" / (name + ".toml"), overrides);
  }
  // One seed of each point simulated; the total against the file, and the runs against the total.
  void expect_disk_within_twice(const Study& study) {
    Inputs inputs(study);
    (void)inputs.check();
    const StudyPlan plan = plan_study(study, inputs, {.budget_s = infinity});
    ASSERT_EQ(plan.points_from(CostFrom::ended), plan.points.size());
    const double used_mib = archive_mib(study);
    EXPECT_GT(plan.cost.disk_mib, used_mib / 2) << study.name;
    EXPECT_LT(plan.cost.disk_mib, used_mib * 2) << study.name;
    double sum = 0;
    for (const RunCost& run : plan.cost.runs) sum += run.disk_mib;
    EXPECT_NEAR(sum, plan.cost.disk_mib, 1e-9);
  }

 private:
  int argc_ = 1;
  char* argv_[2] = {nullptr, nullptr};
  char** arguments_ = argv_;
};

const std::vector<std::string> one_trace = {"workload.trace=../jobs/traces/sia-philly/continued/sia1.csv",
                                            "policy.placement=[\"pal\", \"packed-sticky\"]"};

// Tables of every kind: few jobs with events and rounds; many with moves; attempts that fail, tenants and many seeds.
TEST_F(Costs, EstimateTheDisk) {
  expect_disk_within_twice(experiment("sia-philly", one_trace));
  expect_disk_within_twice(
      experiment("partitions", {"cluster.gpus=512", "cluster.partitions=[1, 4]", "seed=1", "routing.policy=hash",
                                "output.jobs=true", "output.events=true", "measure.window_s=86400"}));
  expect_disk_within_twice(
      read("[cluster]\ngpus = 256\ngpus_per_node = 8\nsource = \"block\"\n[workload]\ngenerator = \"philly\"\n"
           "rho = 0.75\n[failures]\nmodel = \"philly\"\n[measure]\nwarmup_s = 0\nwindow_s = 86400\nend_s = 172800\n"
           "[axes]\nseed = { first = 1, count = 20 }\n\"policy.placement\" = [\"pal\", \"packed-sticky\"]\n"));
}

// Tenants, and attempts that fail, take rows beside those of the jobs.
TEST_F(Costs, CountTenantsAndFailures) {
  const auto rows = [](const Study& study) {
    Inputs inputs(study);
    return plan_study(study, inputs, {.budget_s = infinity}).work.at(0).rows;
  };
  const std::vector<std::string> part = {"seed=1", "measure.window_s=100000"};
  auto none = part;
  none.emplace_back("failures.model=none");
  const auto with = rows(experiment("philly", part)), without = rows(experiment("philly", none));
  EXPECT_GT(with.at(TableId::failures), 0);
  EXPECT_EQ(without.at(TableId::failures), 0);
  EXPECT_EQ(without.at(TableId::delays), without.at(TableId::jobs)) << "why they waited";
  EXPECT_GT(without.at(TableId::jobs), 0);
}

// Shards hold rows alone, so those of two runs are the sum of each one's; whatever runs have in common is not in them.
TEST_F(Costs, ShardsAddUpOverRuns) {
  const auto cost = [&](const std::string& placements) {
    const Study study = experiment("sia-philly", {one_trace.front(), "policy.placement=" + placements});
    Inputs inputs(study);
    return cost_by_formula(study, inputs);
  };
  const StudyCost both = cost("[\"pal\", \"packed-sticky\"]"), one = cost("[\"pal\"]"),
                  other = cost("[\"packed-sticky\"]");
  EXPECT_NEAR(both.shards_mib, one.shards_mib + other.shards_mib, 1e-9);
  EXPECT_NEAR(both.core_s, one.core_s + other.core_s, 1e-9);
}

// More GPUs and more jobs need more of each; a study needs no less than its largest run.
TEST_F(Costs, GrowWithTheStudy) {
  const std::vector<std::string> common = {"seed=1", "routing.policy=hash", "policy.placement=pal",
                                           "cluster.partitions=1"};
  auto larger = common;
  larger.emplace_back("cluster.gpus=8192");
  const Study small = experiment("partitions", common), large = experiment("partitions", larger);
  Inputs of_small(small), of_large(large);
  const StudyCost less = cost_by_formula(small, of_small), more = cost_by_formula(large, of_large);
  EXPECT_GT(more.core_s, 2 * less.core_s);
  EXPECT_GT(more.memory_mib, less.memory_mib);
  EXPECT_GE(more.memory_mib, more.runs.at(0).memory_mib);
  EXPECT_GE(more.merge_mib, more.memory_mib);
}

// Of each point the first seed is simulated, and the others are taken to be like it, job by job. So every row that is
// written, and the time, are in proportion to the jobs of the seed, and these are those of the formula, which counts
// them for each; also where the simulation was cut and carried on.
TEST_F(Costs, OfOtherSeedsAreInProportionToTheirJobs) {
  const Study study = read(
      "[cluster]\ngpus = 64\ngpus_per_node = 8\nsource = \"block\"\n[workload]\ngenerator = \"philly\"\n"
      "rho = 0.5\n[measure]\nwarmup_s = 0\nwindow_s = 86400\n[output]\nevents = true\n[axes]\n"
      "seed = { first = 1, count = 5 }\n\"policy.placement\" = [\"packed-sticky\"]\n");
  const auto work = [&](const PlanOptions& options) {
    Inputs inputs(study);
    (void)inputs.check();
    return plan_study(study, inputs, options).work;
  };
  const auto formula = work({.budget_s = 0});
  std::set<double> jobs;
  for (const RunWork& run : formula) jobs.insert(run.rows.at(TableId::jobs));
  ASSERT_GT(jobs.size(), 1u) << "the test is worth something: seeds have other numbers of jobs";
  const auto cut = work({.budget_s = infinity, .most_boundaries = 20});
  for (std::size_t i = 0; i < cut.size(); ++i) {
    const double of_first = formula[i].rows.at(TableId::jobs) / formula[0].rows.at(TableId::jobs);
    EXPECT_NEAR(cut[i].rows.at(TableId::jobs), formula[i].rows.at(TableId::jobs), 1e-6) << i;
    for (const auto& [table, rows] : cut[0].rows) {
      EXPECT_NEAR(cut[i].rows.at(table), of_first * rows, 1e-9 * (1 + of_first * rows)) << i;
    }
    EXPECT_NEAR(cut[i].core_s, of_first * cut[0].core_s, 1e-9 * (1 + cut[0].core_s)) << i;
  }
}

// A policy that places everything again takes longer, so it is begun first. Routing costs the same, and so do
// partitions, as far as the formula knows: there the order given stays.
TEST_F(Costs, BeginWithTheMostExpensiveRun) {
  const Study study =
      experiment("partitions", {"seed=1", "cluster.partitions=[1, 16]", "routing.policy=[\"hash\", \"least-loaded\"]"});
  Inputs inputs(study);
  (void)inputs.check();
  const StudyCost known = cost_by_formula(study, inputs);
  std::vector<std::size_t> runs(study.runs.size());
  std::iota(runs.begin(), runs.end(), 0U);
  std::string order;
  for (const std::size_t run : most_expensive_first(known, runs)) {
    const RunPlan& plan = study.runs[run];
    order += fmt::format("{}/{}/{} ", plan.policy.placement, plan.cluster.partitions, plan.policy.routing);
  }
  EXPECT_EQ(order,
            "pal/1/hash pal/1/least-loaded pal/16/hash pal/16/least-loaded "
            "packed-sticky/1/hash packed-sticky/1/least-loaded packed-sticky/16/hash packed-sticky/16/least-loaded ");
  EXPECT_EQ(most_expensive_first(known, {3, 5}), (std::vector<std::size_t>{5, 3})) << "only those that are to be done";
}

// With one MiB less than it needs a study is refused, with both numbers, as bad data, and nothing is left; with that
// MiB it runs. Ranks of one host need it each.
TEST_F(Costs, RefuseWhatDoesNotFitInMemory) {
  const Study study = experiment("sia-philly", one_trace);
  Inputs inputs(study);
  const StudyCost needs = cost_by_formula(study, inputs);
  CampaignOptions options;
  options.output = dir / "refused.h5";
  options.available_mib = needs.merge_mib - 1;
  expect_parts(message_of(ErrorCode::data, [&] { run_campaign(study, options, mpi()); }),
               {"memory does not suffice", "MiB are available", "MiB are needed", "sia-philly.toml"});
  EXPECT_TRUE(std::filesystem::is_empty(dir));
  EXPECT_NO_THROW(check_memory("sia-philly.toml", needs, 1, needs.merge_mib + 1));
  EXPECT_NO_THROW(check_memory("sia-philly.toml", needs, 8, 8 * needs.memory_mib + needs.merge_mib));
  EXPECT_THROW(check_memory("sia-philly.toml", needs, 8, 7 * needs.memory_mib), Error);
  EXPECT_NO_THROW(check_memory("sia-philly.toml", needs, 8, std::nullopt));
}

// A disk that has less than is needed is refused as bad data, with both numbers and where; one that has it is not.
TEST_F(Costs, RefuseWhatDoesNotFitOnTheDisk) {
  constexpr double more_than_any_disk_mib = 1e15;
  const std::filesystem::path output = dir / "not-there-yet" / "refused.h5";
  expect_parts(message_of(ErrorCode::data, [&] { check_disk_space(output, more_than_any_disk_mib); }),
               {"the disk is too full", "are free", "are needed", "refused.h5", "-o"});
  EXPECT_NO_THROW(check_disk_space(output, 0));
  // What makes a campaign refuse is what its runs write at least: so many rows of jobs of 172 bytes, no matter which.
  const Study study = experiment("sia-philly", one_trace);
  Inputs inputs(study);
  const StudyCost at_least = cost_by_formula(study, inputs);
  const double jobs = static_cast<double>(study.runs.size()) * 160;
  EXPECT_GT(at_least.shards_mib, 172 * jobs / mib);
  EXPECT_LE(at_least.shards_mib, plan_study(study, inputs, {.budget_s = infinity}).cost.shards_mib);
}

// The kernel of the tests tells; a machine that builds this has some.
TEST_F(Costs, ReadTheMemoryOfTheMachine) {
  const auto available = available_memory_mib();
  if (!available) GTEST_SKIP() << "no /proc/meminfo here";
  EXPECT_GT(*available, 1.0);
  EXPECT_LT(*available, 1e9);
}

// By hand: two measured jobs of 2 GPUs and 1 GPU, and one that arrives when both have; on 8 GPUs. A run begins with
// 0.25 us a GPU and 2 us a job; where all jobs are placed again each round of 300 s, their 3,000 s are ten times 0.3 us
// more. Rows are one a job, a launch and an end each, and their GPUs.
TEST_F(Costs, FollowFromJobsAndGpus) {
  write_cluster(8);
  write("jobs.csv",
        "job_id,submit_s,num_gpus,iterations,iteration_s,class\n0,0,2,1000,1,A\n1,10,1,2000,1,A\n2,20,4,3000,1,A\n");
  const Study study = read(minimal +
                           "cluster.gpus = 8\nmeasure.jobs = { first = 0, last = 1 }\nengine.round_s = 300\n"
                           "output.events = true\naxes.\"policy.placement\" = [\"packed-sticky\", \"pm-first\"]\n");
  Inputs inputs(study);
  (void)inputs.check();
  const StudyPlan plan = plan_study(study, inputs, {.budget_s = 0});
  ASSERT_EQ(plan.work.size(), 2u);
  EXPECT_NEAR(plan.work[0].core_s, 8 * 0.25e-6 + 2 * 2e-6, 1e-15);
  EXPECT_NEAR(plan.work[1].core_s, 8 * 0.25e-6 + 2 * 2e-6 + 10 * 0.3e-6, 1e-15);
  for (const RunWork& work : plan.work) {
    EXPECT_EQ(work.rows,
              (std::map<TableId, double>{{TableId::jobs, 2}, {TableId::events, 4}, {TableId::event_gpus, 3}}));
  }
  EXPECT_EQ(plan.points_from(CostFrom::formula), 2u);
  EXPECT_NEAR(plan.cost.core_s, plan.work[0].core_s + plan.work[1].core_s, 1e-15);
  EXPECT_EQ(PlanOptions{}.budget_s, 10) << "unless another is asked for";
}

// What a study of one run takes, from the bytes of its parts: 3 jobs, 8 GPUs on 2 nodes, which its archive has whole.
// In memory its rows grow to half as much again during the run, and lie there three times after it.
TEST_F(Costs, AddUpTheBytesOfTheirParts) {
  write_cluster(8, 4, [](int) { return 1; }, {"A", "B"});
  write("jobs.csv",
        "job_id,submit_s,num_gpus,iterations,iteration_s,class\n0,0,2,1000,1,A\n1,10,1,2000,1,A\n2,20,4,3000,1,A\n");
  const Study study = read(minimal + "cluster.gpus = 8\npolicy.placement = \"packed-sticky\"\n");
  ASSERT_EQ(study.runs.size(), 1u);
  Inputs inputs(study);
  const StudyCost cost = cost_by_formula(study, inputs);
  const double slowdowns = 8 * static_cast<double>(inputs.load(study.runs[0]).truth.classes());
  double shard_bytes = 0, archive_bytes = 60e3 + 3e3 + 8.5 * slowdowns;
  for (const auto& [id, rows] : {std::pair{TableId::runs, 1.0}, {TableId::jobs, 3.0}, {TableId::nodes, 2.0}}) {
    shard_bytes += rows * table_of(id).shard_bytes;
    archive_bytes += rows * table_of(id).archive_bytes;
  }
  const double jobs_bytes = 3 * (sizeof(Job) + 8.0), cluster_bytes = 18 * slowdowns, run_bytes = 3 * 220 + 8 * 84;
  const double while_it_runs = run_bytes + 1.5 * shard_bytes;
  EXPECT_NEAR(cost.shards_mib, shard_bytes / mib, 1e-12);
  EXPECT_NEAR(cost.disk_mib, archive_bytes / mib, 1e-12);
  EXPECT_NEAR(cost.runs.at(0).disk_mib, cost.disk_mib, 1e-12);
  EXPECT_NEAR(cost.runs.at(0).memory_mib, 21 + (jobs_bytes + cluster_bytes + while_it_runs) / mib, 1e-9);
  EXPECT_NEAR(cost.memory_mib,
              21 + (jobs_bytes + cluster_bytes + 2000 + std::max(while_it_runs, 3 * shard_bytes)) / mib, 1e-9);
  EXPECT_NEAR(cost.merge_mib, cost.memory_mib + cost.shards_mib, 1e-12);
}

}  // namespace
}  // namespace palstudy
