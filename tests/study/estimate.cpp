// SPDX-License-Identifier: MIT
// What `plan` foretells, held against what a run then makes; and refusals of what is too large.
#include "study/estimate.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "scratch.hpp"
#include "study/activity.hpp"
#include "study/campaign.hpp"
#include "study/rehearsal.hpp"
#include "study/study_plan.hpp"

namespace palstudy {
namespace {

class Estimates : public Scratch {
 protected:
  Estimates() {
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
  // The total against the file, and the runs against the total.
  void expect_disk_within_a_fifth(const Study& study) {
    Inputs inputs(study);
    (void)inputs.check();
    const DiskEstimate foretold = plan_study(study, inputs).disk;
    const double used_mib = archive_mib(study);
    EXPECT_NEAR(foretold.total_mib / used_mib, 1.0, 0.2) << study.name;
    ASSERT_EQ(foretold.runs_mib.size(), study.runs.size());
    double sum = 0;
    for (const double one : foretold.runs_mib) sum += one;
    EXPECT_NEAR(sum, foretold.total_mib, 1e-9);
  }

 private:
  int argc_ = 1;
  char* argv_[2] = {nullptr, nullptr};
  char** arguments_ = argv_;
};

const std::vector<std::string> one_trace = {"workload.trace=../jobs/traces/sia-philly/continued/sia1.csv",
                                            "policy.placement=[\"pal\", \"packed-sticky\"]"};

// A short study is rehearsed, so its archive is known but for times and names.
TEST_F(Estimates, KnowTheDiskOfShortStudies) {
  expect_disk_within_a_fifth(experiment("sia-philly", one_trace));
  expect_disk_within_a_fifth(experiment("load-fifo", {"seed=1", "workload.jobs_per_h=8", "policy.placement=pal"}));
}

// The rows of a study that is not rehearsed are made up: four runs of the generator's jobs.
TEST_F(Estimates, KnowTheDiskOfStudiesThatAreNotRehearsed) {
  const Study study = experiment("partitions", {"cluster.gpus=256", "cluster.partitions=[1, 4]", "seed=1",
                                                "routing.policy=hash", "output.jobs=true"});
  Inputs inputs(study);
  (void)inputs.check();
  EXPECT_NEAR(plan_study(study, inputs, {.quick = true}).disk.total_mib / archive_mib(study), 1.0, 0.2);
}

// Whoever thinks that more jobs arrive than there are (another seed has others) gets the rows of those that there are.
TEST_F(Estimates, MakeUpNoMoreJobsThanThereAre) {
  const Study study = experiment("partitions", {"cluster.gpus=256", "cluster.partitions=[1, 4]", "seed=1",
                                                "routing.policy=hash", "output.jobs=true"});
  Inputs inputs(study);
  (void)inputs.check();
  StudyEstimate all = estimate(study, inputs);
  for (std::size_t i = 0; i < study.runs.size(); ++i) {
    all.runs[i].jobs = static_cast<double>(inputs.load(study.runs[i]).workload.jobs.size());
  }
  StudyEstimate more = all;
  for (RunEstimate& run : more.runs) run.jobs += 1000;
  EXPECT_EQ(estimate_disk(study, inputs, more).total_mib, estimate_disk(study, inputs, all).total_mib);
}

// Of a campaign of many seeds some of each point are simulated. The others have rows of their own, in every table that
// the samples have rows in, and metrics and nodes of their own; but with a placement that does not look at what is
// believed of GPUs two runs of a seed are the same. Were the rows of failures those of the samples alone, or the
// metrics of all other runs the same, too little would be foretold, by more the fewer samples there are.
TEST_F(Estimates, KnowTheDiskOfManySeedsFromAFew) {
  for (const std::string table : {"jobs = true", "jobs = false"}) {
    const Study study = read(
        "[cluster]\ngpus = 256\ngpus_per_node = 8\nsource = \"block\"\n[workload]\ngenerator = \"philly\"\nrho = 0.75\n"
        "[failures]\nmodel = \"philly\"\n[measure]\nwarmup_s = 0\nwindow_s = 86400\nend_s = 172800\n[output]\n" +
        table +
        "\n[axes]\nseed = { first = 1, count = 40 }\n\"policy.placement\" = [\"pal\", \"packed-sticky\"]\n"
        "\"policy.knowledge\" = [\"oracle\", \"flat\"]\n");
    Inputs inputs(study);
    (void)inputs.check();
    constexpr std::size_t points = 4, simulated = 8 * points;  // the seed is the slowest axis
    std::vector<RowSample> samples;
    for (std::size_t run = 0; run < simulated; ++run) {
      samples.push_back({*rehearse(study, study.runs[run], inputs, 1e9).record, {run}});
    }
    for (std::size_t run = simulated; run < study.runs.size(); ++run) samples[run % points].runs.push_back(run);
    const DiskEstimate foretold = estimate_disk(study, inputs, estimate(study, inputs), std::move(samples));
    EXPECT_NEAR(foretold.total_mib / archive_mib(study), 1.0, 0.2) << table;
  }
}

// How many running jobs a placement afresh moves hangs on how many jobs of a partition have come and gone, so neither
// on rounds alone nor on partitions alone: rows of events by formula and as the run has them.
TEST_F(Estimates, KnowHowManyJobsAreMoved) {
  const Study study = read(
      "[cluster]\ngpus = 512\ngpus_per_node = 8\nsource = \"block\"\n[workload]\ngenerator = \"philly\"\nrho = 0.75\n"
      "[measure]\nwarmup_s = 0\nwindow_s = 86400\nend_s = 86400\n[output]\njobs = false\nevents = true\n[axes]\n"
      "\"policy.placement\" = [\"pal\", \"packed-nonsticky\", \"random-nonsticky\", \"packed-sticky\"]\n"
      "\"cluster.partitions\" = [1, 4]\n\"engine.round_s\" = [60, 300]\n");
  Inputs inputs(study);
  LocalExchange alone;
  double fewest = 1e300, most = 0;
  for (const RunPlan& run : study.runs) {
    const auto loaded = inputs.load(run);
    const Activity all = foretell(run, loaded, traits_of(run, loaded));
    const auto record = execute(study, run, inputs, alone);
    const auto used = static_cast<double>(record->events.rows());
    const double ratio = (2 * all.jobs + all.moved) / used;
    EXPECT_LT(std::abs(std::log(ratio)), std::log(1.5)) << run.policy.placement << ", " << run.cluster.partitions
                                                        << " partitions, rounds of " << run.engine.round_s << " s";
    fewest = std::min(fewest, used);
    most = std::max(most, used);
  }
  EXPECT_GT(most, 50 * fewest) << "what is foretold here has to differ";
}

// Tenants, and attempts that fail, take memory and rows beside those of the jobs.
TEST_F(Estimates, CountTenantsAndFailures) {
  const Study with = experiment("philly", {"seed=1"}),
              without = experiment("philly", {"seed=1", "failures.model=none"});
  Inputs of_with(with), of_without(without);
  const RunEstimate more = estimate(with, of_with).runs.at(0), less = estimate(without, of_without).runs.at(0);
  EXPECT_GT(more.memory_mib, 1.2 * less.memory_mib);
  EXPECT_GT(more.other_rows_mib, 1.2 * less.other_rows_mib);
  EXPECT_GT(less.other_rows_mib, 0);  // why they waited
}

// More GPUs and more jobs need more of each; a study needs no less than its largest run.
TEST_F(Estimates, GrowWithTheStudy) {
  const std::vector<std::string> common = {"seed=1", "routing.policy=hash", "policy.placement=pal",
                                           "cluster.partitions=1"};
  auto larger = common;
  larger.emplace_back("cluster.gpus=8192");
  const Study small = experiment("partitions", common), large = experiment("partitions", larger);
  Inputs of_small(small), of_large(large);
  const StudyEstimate less = estimate(small, of_small), more = estimate(large, of_large);
  EXPECT_GT(more.core_s, 2 * less.core_s);
  EXPECT_GT(more.memory_mib, less.memory_mib);
  EXPECT_GE(more.memory_mib, more.runs.at(0).memory_mib);
  EXPECT_GE(more.merge_mib, more.memory_mib);
}

// A policy that places everything afresh takes longer, and the longer the more GPUs it looks at, so it is begun first;
// a sticky one takes longer where there are more partitions to visit. Routing costs the same, so the order given stays.
TEST_F(Estimates, BeginWithTheMostExpensiveRun) {
  const Study study =
      experiment("partitions", {"seed=1", "cluster.partitions=[1, 16]", "routing.policy=[\"hash\", \"least-loaded\"]"});
  Inputs inputs(study);
  (void)inputs.check();
  const StudyEstimate known = estimate(study, inputs);
  std::vector<std::size_t> runs(study.runs.size());
  std::iota(runs.begin(), runs.end(), 0U);
  std::string order;
  for (const std::size_t run : most_expensive_first(known, runs)) {
    const RunPlan& plan = study.runs[run];
    order += fmt::format("{}/{}/{} ", plan.policy.placement, plan.cluster.partitions, plan.policy.routing);
  }
  EXPECT_EQ(order,
            "pal/1/hash pal/1/least-loaded pal/16/hash pal/16/least-loaded "
            "packed-sticky/16/hash packed-sticky/16/least-loaded packed-sticky/1/hash packed-sticky/1/least-loaded ");
  EXPECT_EQ(most_expensive_first(known, {5, 1}), (std::vector<std::size_t>{1, 5})) << "only those that are to be done";
}

// With one MiB less than it needs a study is refused, with both numbers, as bad data, and nothing is left; with that
// MiB it runs. Ranks of one host need it each.
TEST_F(Estimates, RefuseWhatDoesNotFitInMemory) {
  const Study study = experiment("sia-philly", one_trace);
  Inputs inputs(study);
  const StudyEstimate needs = estimate(study, inputs);
  CampaignOptions options;
  options.output = dir / "refused.h5";
  options.available_mib = needs.merge_mib - 1;
  try {
    run_campaign(study, options, mpi());
    ADD_FAILURE() << "was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::data);
    expect_parts(error.what(), {"memory does not suffice", "MiB are available", "MiB are needed", "sia-philly.toml"});
  }
  EXPECT_TRUE(std::filesystem::is_empty(dir));
  EXPECT_NO_THROW(check_memory("sia-philly.toml", needs, 1, needs.merge_mib + 1));
  EXPECT_NO_THROW(check_memory("sia-philly.toml", needs, 8, 8 * needs.memory_mib + needs.merge_mib));
  EXPECT_THROW(check_memory("sia-philly.toml", needs, 8, 7 * needs.memory_mib), Error);
  EXPECT_NO_THROW(check_memory("sia-philly.toml", needs, 8, std::nullopt));
}

// The kernel of the tests tells; a machine that builds this has some.
TEST_F(Estimates, KnowTheMemoryOfTheMachine) {
  const auto available = available_memory_mib();
  if (!available) GTEST_SKIP() << "no /proc/meminfo here";
  EXPECT_GT(*available, 1.0);
  EXPECT_LT(*available, 1e9);
}

}  // namespace
}  // namespace palstudy
