// SPDX-License-Identifier: MIT
// Comparisons by class and by size, over archives of real runs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/comparison.hpp"
#include "archive/write_records.hpp"
#include "campaign/campaign_info.hpp"
#include "campaign/execute.hpp"
#include "campaign/scratch.hpp"
#include "inputs/cluster_inputs.hpp"
#include "inputs/inputs.hpp"
#include "study/data_dir.hpp"

namespace palstudy {
namespace {

const std::string study_text = R"(
seed = 1
[cluster]
gpus = 32
source = "measured"
classes = "pal"
[workload]
generator = "synergy"
jobs_per_h = 12
[measure]
jobs = { first = 0, last = 79 }
[engine]
migration_s = 10
[axes]
"cluster.seed" = { first = 1, count = 3 }
"policy.placement" = ["pal", "packed-sticky"]
"workload.seed" = { first = 1, count = 2 }
)";

class ComparisonOfJobs : public Scratch {
 protected:
  ComparisonOfJobs() { write_runs_of(study_text, file_); }
  void write_runs_of(const std::string& text, const std::filesystem::path& file) {
    const Study study = read(text);
    Provenance provenance;
    provenance.resolved_study = study.resolved;
    provenance.profile_origin = "imported";
    provenance.baselines = {"packed-sticky"};
    Inputs inputs(study);
    const auto clusters = archived_clusters(study, inputs);
    std::filesystem::remove(file);
    write_archive(file, simulate_all(study), clusters, provenance);
  }
  [[nodiscard]] Comparison compared(const ComparisonOptions& options) const {
    return compare(ArchiveReader(file_), options);
  }
  std::filesystem::path file_ = dir / "a.h5";
};

double mean_of(const ComparisonGroup& group, const std::string& metric, std::size_t policy) {
  for (const auto& row : group.rows) {
    if (row.metric == metric) return row.means.at(policy).value().mean;
  }
  ADD_FAILURE() << "no " << metric;
  return std::nan("");
}

// Every job is in one class and one size: what is counted adds up to the whole run's.
TEST_F(ComparisonOfJobs, AddsUpOverClassesAndSizes) {
  for (const char* metric : {"migrations", "busy_fraction", "effective_fraction"}) {
    const auto whole = compared({{metric}, {}, {}, {}});
    for (const std::string by : {"class", "size", "model"}) {
      const auto parts = compared({{metric}, {}, {by}, {}});
      ASSERT_GT(parts.groups.size(), 1u) << by;
      double sum = 0;
      for (const auto& group : parts.groups) {
        EXPECT_EQ(group.labels.at(0).key, by);
        sum += mean_of(group, metric, 0);
      }
      EXPECT_NEAR(sum, mean_of(whole.groups.at(0), metric, 0), 1e-9) << metric << " by " << by;
    }
  }
}

TEST_F(ComparisonOfJobs, SharesOutTheTimeByCause) {
  const auto result = compared({{"causes"}, {}, {"size"}, {}});
  for (const auto& group : result.groups) {
    double sum = 0;
    for (const char* cause : {"work", "variability", "locality", "migration", "waiting"}) {
      sum += mean_of(group, std::string("share_") + cause, 0);
    }
    EXPECT_NEAR(sum, 1, 1e-9) << group.labels.at(0).value;
    EXPECT_TRUE(group.gains.empty());
  }
}

// Shares of one placement need no baseline, whatever the study names (packed-sticky here); one that is asked for and
// that the archive has not is refused all the same.
TEST_F(ComparisonOfJobs, SharesOfOnePlacementNeedNoBaseline) {
  std::string one = study_text;
  const std::string axis = "\"policy.placement\" = [\"pal\", \"packed-sticky\"]\n";
  one.erase(one.find(axis), axis.size());
  one.insert(one.find("[engine]"), "[policy]\nplacement = \"pal\"\n");
  write_runs_of(one, file_);
  const auto result = compared({{"causes"}, {}, {}, {}});
  EXPECT_EQ(result.policies, std::vector<std::string>{"pal"});
  EXPECT_FALSE(result.groups.at(0).rows.empty());
  expect_parts(message_of([&] {
                 (void)compared({{"causes"}, {"packed-sticky"}, {}, {}});
               }),
               {"--baseline", "packed-sticky", "it has pal"});
}

// How much the shares leave out is shown where moving costs something (10 s here), and only there.
TEST_F(ComparisonOfJobs, BoundsWhatRestartsCostWhereTheyCost) {
  const auto shows = [&](const Comparison& result) {
    const auto& rows = result.groups.at(0).rows;
    return std::any_of(rows.begin(), rows.end(), [](const auto& row) { return row.metric == "share_restarts_most"; });
  };
  EXPECT_TRUE(shows(compared({{"causes"}, {}, {}, {}})));
  const auto free = dir / "free.h5";
  std::string text = study_text;
  write_runs_of(text.replace(text.find("migration_s = 10"), 16, "migration_s = 0"), free);
  EXPECT_FALSE(shows(compare(ArchiveReader(free), {{"causes"}, {}, {}, {}})));
}

// A model whose shares are assumptions is named by the study's notes, which the archive keeps, and by compare.
TEST_F(ComparisonOfJobs, NamesUncalibratedModels) {
  const auto made = [&](const std::string& mix) {
    const Study study = read(
        "[cluster]\ngpus = 8\nsource = \"block\"\n[workload]\ngenerator = \"mix\"\nrho = 0.5\n"
        "mix = \"" +
        mix +
        "\"\nmedian_h = 0.5\nsigma = 1\n[measure]\njobs = { first = 0, last = 9 }\n"
        "[axes]\n\"policy.placement\" = [\"pal\", \"packed-sticky\"]\n");
    Inputs inputs(study);
    (void)inputs.check();
    const Provenance provenance = make_provenance(study, inputs, "palstudy run", 1);
    LocalExchange alone;
    std::vector<RunRecord> records;
    for (const RunPlan& run : study.runs) records.push_back(execute(study, run, inputs, alone).value());
    write_archive(dir / "mix.h5", records, {}, provenance);
    Value models;
    for (const auto& [note, text] : compare(ArchiveReader(dir / "mix.h5"), {}).input_notes) {
      if (note.id == "assumed-models") models = note["models"];
    }
    return models;
  };
  EXPECT_FALSE(made("resnet50:4 1").known());
  EXPECT_EQ(made("claire-512 1, claire-256 1, resnet50:4 1"), Value(ValueList{"claire-256", "claire-512"}));
}

// Three cluster seeds by two workload seeds are six pairs of seeds, not enough in either direction; and all clusters
// are of the same donors.
TEST_F(ComparisonOfJobs, KnowsCrossedSeedsAndDonors) {
  const auto result = compared({{}, {}, {}, {}});
  const auto& gain = result.groups.at(0).gains.at(0).gain.value();
  EXPECT_EQ(gain.pairs, 6u);
  EXPECT_EQ(gain.clusters, 3u);
  EXPECT_EQ(gain.workloads, 2u);
  EXPECT_EQ(gain.no_interval, (NoInterval{Missing::few_clusters, 3, 8}));
  EXPECT_NE(find(result.notes, "donors"), nullptr);
}

// The same jobs of 168 GPUs, or of fewer, on clusters drawn from the 42 measured nodes of 4 that carry both kernels.
std::string drawn_clusters(int gpus, const std::string& classes) {
  return "seed = 1\n[cluster]\ngpus = " + std::to_string(gpus) + "\nsource = \"measured\"\nclasses = \"" + classes +
         "\"\n[workload]\ntrace = \"trace.csv\"\nreader = \"native\"\n[measure]\njobs = { first = 0, last = 19 }\n"
         "[axes]\n\"seed\" = { first = 1, count = 8 }\n\"policy.placement\" = [\"pal\", \"packed-sticky\"]\n";
}

// All 42 nodes are in every cluster of 168 GPUs, so that eight seeds are eight orders of them, which the interval says;
// clusters of 160 GPUs are drawn, nearly alike, and there the answer names the nodes that they are drawn from.
TEST_F(ComparisonOfJobs, SaysWhereSeedsOnlyPermuteNodes) {
  const auto write_jobs_of = [&](const std::string& classes) {
    const auto row = [&](int job) {
      return fmt::format("{},6,{},1,{}", 100 * job, 1000 + 90 * job,
                         classes[static_cast<std::size_t>(job) % classes.size()]);
    };
    write_trace_of(20, row, "trace.csv");
  };
  write_jobs_of("A");
  const std::string joint = (data_dir() / "experiments/data/repeating-classes.toml").string();
  const auto compared_on = [&](int gpus, const std::string& classes) {
    write_runs_of(drawn_clusters(gpus, classes), file_);
    return compared({{"jct_mean_s"}, {}, {}, {}});
  };
  const auto scope_of = [](const Comparison& one) { return one.groups.at(0).gains.at(0).over->group; };
  const auto permuted = compared_on(168, joint), drawn = compared_on(160, joint);
  EXPECT_EQ(scope_of(permuted).clusters, DrawnClusters::placements);
  EXPECT_EQ(find(permuted.notes, "donors"), nullptr);
  EXPECT_EQ(scope_of(drawn).clusters, DrawnClusters::measured);
  EXPECT_EQ(scope_of(drawn).alike, (std::vector<SameNodes>{{40, 42, {}}}));
  EXPECT_NE(find(drawn.notes, "donors"), nullptr);
  // Clusters of 20 nodes have half of them or less in common.
  EXPECT_TRUE(scope_of(compared_on(80, joint)).alike.empty());
  // The paper's classes are drawn apart: of BERT's 34 nodes (B and C) and PageRank's 43 (D) clusters of 32 take most,
  // of ResNet-50's 84 (A) not.
  write_jobs_of("ABCD");
  EXPECT_EQ(scope_of(compared_on(128, "pal")).alike, (std::vector<SameNodes>{{32, 34, {"B", "C"}}, {32, 43, {"D"}}}));
  // Where all jobs are of one class, the others say nothing of what differs: clusters of 34 nodes are all of BERT's.
  write_jobs_of("B");
  EXPECT_EQ(scope_of(compared_on(136, "pal")).clusters, DrawnClusters::placements);
}

// Of crossed seeds both directions are named.
TEST_F(ComparisonOfJobs, SaysOverWhatCrossedSeedsAre) {
  std::string text = study_text;
  for (const char* count : {"count = 3", "count = 2"}) text.replace(text.find(count), 9, "count = 8");
  write_runs_of(text.replace(text.find("last = 79"), 9, "last = 19"), file_);
  const IntervalOver over = compared({{"jct_mean_s"}, {}, {}, {}}).groups.at(0).gains.at(0).over.value();
  EXPECT_EQ(over.count.by, Replicated::crossed);
  EXPECT_EQ(over.count.clusters, 8u);
  EXPECT_EQ(over.count.workloads, 8u);
  EXPECT_EQ(over.group.clusters, DrawnClusters::measured);
  EXPECT_EQ(over.group.generator, "synergy");
}

// Three jobs one after the other on both GPUs, 1,000 s each. Those of tenant a take 1,000 s and 1,990 s from submission
// to finish, that of tenant b 2,980 s, and the one of no tenant, which comes last, 3,970 s.
TEST_F(ComparisonOfJobs, SplitsByTenant) {
  write("cluster.csv", "gpu_id,node_id,class,score\n0,0,A,1\n1,0,A,1\n");
  write("trace.csv",
        "job_id,submit_s,num_gpus,iterations,iteration_s,class,tenant\n0,0,2,1000,1,A,a\n1,10,2,1000,1,A,a\n"
        "2,20,2,1000,1,A,b\n3,30,2,1000,1,A,\n");
  write_runs_of(
      "[cluster]\ngpus = 2\ngpus_per_node = 2\ntable = \"cluster.csv\"\nbins = 1\n[workload]\ntrace = \"trace.csv\"\n"
      "reader = \"native\"\n[measure]\njobs = { first = 0, last = 3 }\n[engine]\nround_s = 100\n[axes]\n"
      "\"policy.placement\" = [\"pal\", \"packed-sticky\"]\n",
      file_);
  const auto result = compared({{"jct_mean_s"}, {}, {"tenant"}, {}});
  std::map<std::string, double> means;
  for (const auto& group : result.groups) means[group.labels.at(0).value] = mean_of(group, "jct_mean_s", 0);
  ASSERT_EQ(means.size(), 3u);
  EXPECT_NEAR(means.at("a"), 1495, 1e-9);
  EXPECT_NEAR(means.at("b"), 2980, 1e-9);
  EXPECT_NEAR(means.at("(none)"), 3970, 1e-9);
}

// The same by user: u has the jobs that end at 1,000 and 2,000 s, v that at 3,000 s. The trace of no users has no
// column, and the refusal says what to do.
TEST_F(ComparisonOfJobs, SplitsByUserWhereTheTraceNamesThem) {
  const std::string study =
      "[cluster]\ngpus = 2\ngpus_per_node = 2\ntable = \"cluster.csv\"\nbins = 1\n[workload]\ntrace = \"trace.csv\"\n"
      "reader = \"native\"\n[measure]\njobs = { first = 0, last = 2 }\n[engine]\nround_s = 100\n[axes]\n"
      "\"policy.placement\" = [\"pal\", \"packed-sticky\"]\n";
  write("cluster.csv", "gpu_id,node_id,class,score\n0,0,A,1\n1,0,A,1\n");
  write("trace.csv",
        "job_id,submit_s,num_gpus,iterations,iteration_s,class,user\n0,0,2,1000,1,A,u\n1,10,2,1000,1,A,u\n"
        "2,20,2,1000,1,A,v\n");
  write_runs_of(study, file_);
  const auto result = compared({{"jct_mean_s"}, {}, {"user"}, {}});
  std::map<std::string, double> means;
  for (const auto& group : result.groups) means[group.labels.at(0).value] = mean_of(group, "jct_mean_s", 0);
  ASSERT_EQ(means.size(), 2u);
  EXPECT_NEAR(means.at("u"), 1495, 1e-9);
  EXPECT_NEAR(means.at("v"), 2980, 1e-9);
  write("trace.csv",
        "job_id,submit_s,num_gpus,iterations,iteration_s,class\n0,0,2,1000,1,A\n1,10,2,1000,1,A\n2,20,2,1000,1,A\n");
  write_runs_of(study, file_);
  EXPECT_NE(message_of([&] {
              static_cast<void>(compared({{"jct_mean_s"}, {}, {"user"}, {}}));
            }).find("/jobs/user"),
            std::string::npos);
}

// Three jobs one after the other on both GPUs, 1,000 s each: they start at 0, 1,000 and 2,000 s, but the run ends at
// 1,500 s. Two of three have started, after 0 and 990 s; one has finished.
TEST_F(ComparisonOfJobs, KnowsWhatJobsHaveWaitedThatStarted) {
  write("cluster.csv", "gpu_id,node_id,class,score\n0,0,A,1\n1,0,A,1\n");
  write("trace.csv",
        "job_id,submit_s,num_gpus,iterations,iteration_s,class\n0,0,2,1000,1,A\n1,10,2,1000,1,A\n2,20,2,1000,1,A\n");
  write_runs_of(R"(
[cluster]
gpus = 2
gpus_per_node = 2
table = "cluster.csv"
bins = 1
[workload]
trace = "trace.csv"
reader = "native"
[measure]
jobs = { first = 0, last = 2 }
end_s = 1500
[engine]
round_s = 100
[axes]
"policy.placement" = ["pal", "packed-sticky"]
)",
                file_);
  const auto result = compared({{"wait_started_mean_s", "jobs_started"}, {}, {}, {}});
  EXPECT_NEAR(mean_of(result.groups.at(0), "wait_started_mean_s", 0), 495, 1e-9);
  EXPECT_NEAR(mean_of(result.groups.at(0), "jobs_started", 1), 2.0 / 3, 1e-12);
  EXPECT_EQ(result.groups.at(0).gains.at(0).gain.value().ratio, 1);
  EXPECT_TRUE(result.left_out.empty());
  const Note* cut = find(result.notes, "up-to-end");
  ASSERT_NE(cut, nullptr);
  EXPECT_EQ((*cut)["runs"], Value(2));
}

// The slope of the queue is not one of a class of jobs.
TEST_F(ComparisonOfJobs, RefusesMetricsOfTheQueueByClass) {
  EXPECT_THROW((void)compared({{"queue_slope"}, {}, {"class"}, {}}), Error);
  EXPECT_NO_THROW((void)compared({{"all"}, {}, {"class"}, {}}));
}

// Where all jobs are of one class its metrics are those of the run: made from the rows of /jobs, of which some are not
// measured, they are what the engine has stored, the contention that it saw at the boundaries of rounds included.
TEST_F(ComparisonOfJobs, OfTheOnlyClassAreThoseOfTheRun) {
  std::string gpus = "gpu_id,node_id,class,score\n", jobs = "job_id,submit_s,num_gpus,iterations,iteration_s,class\n";
  for (int gpu = 0; gpu < 4; ++gpu) gpus += fmt::format("{},{},A,{}\n", gpu, gpu / 2, gpu == 2 ? 1.3 : 1.0);
  for (int job = 0; job < 30; ++job) {
    jobs += fmt::format("{},{},{},{},1,A\n", job, 97 * job, 1 + job % 3, 100 + 170 * (job * 7 % 11));
  }
  write("cluster.csv", gpus);
  write("trace.csv", jobs);
  write_runs_of(
      "[cluster]\ngpus = 4\ngpus_per_node = 2\ntable = \"cluster.csv\"\nbins = 1\n[workload]\ntrace = \"trace.csv\"\n"
      "reader = \"native\"\n[measure]\njobs = { first = 0, last = 26 }\n[engine]\nround_s = 60\nmigration_s = 5\n"
      "[policy]\norder = \"las\"\n[axes]\n\"policy.placement\" = [\"pal\", \"packed-sticky\"]\n",
      file_);
  for (const char* metric : {"rho_p95", "jain", "jct_p95_s", "wait_mean_s", "bounded_slowdown_mean", "preemptions"}) {
    const auto whole = compared({{metric}, {}, {}, {}}), part = compared({{metric}, {}, {"class"}, {}});
    ASSERT_EQ(part.groups.size(), 1u);
    EXPECT_EQ(part.groups[0].labels, (std::vector<GroupLabel>{{"class", "=", "A"}}));
    for (const std::size_t policy : {std::size_t{0}, std::size_t{1}}) {
      const double stored = mean_of(whole.groups.at(0), metric, policy);
      EXPECT_NEAR(mean_of(part.groups[0], metric, policy), stored, 1e-9 * stored) << metric;
    }
  }
}

}  // namespace
}  // namespace palstudy
