// SPDX-License-Identifier: MIT
// Clusters drawn from measured nodes, what the policies believe of them, and what is said of it.
#include <algorithm>
#include <map>

#include "campaign/scratch.hpp"

namespace palstudy {
namespace {

class Knowledge : public Scratch {
 protected:
  Knowledge() {
    write("jobs.csv", "job_id,submit_s,num_gpus,iterations,iteration_s,class\n0,0,1,10,1.0,A\n1,5,2,10,1.0,B\n");
  }
  /// A study on 64 GPUs of Longhorn.
  static std::string drawn(const std::string& more) {
    return "[workload]\ntrace = \"jobs.csv\"\nreader = \"native\"\n[cluster]\nsource = \"block\"\n" + more;
  }
  static std::vector<double> truth_of(Inputs& inputs, const RunPlan& run) {
    const auto values = inputs.load(run).truth.of(ClassId(0));
    return {values.begin(), values.end()};
  }
};

// Five runs that differ in knowledge alone. All but `other-half` have one truth, whatever its age; every belief is
// another; bins of `oracle` are those of the truth.
TEST_F(Knowledge, ChangesTheBeliefAndNotTheTruth) {
  const Study study =
      read(drawn("classes = \"reliable\"\n[policy]\nknowledge_age_days = 90\n[axes]\n"
                 "\"policy.knowledge\" = [\"oracle\", \"runs\", \"stale\", \"flat\", \"other-half\"]\n"));
  ASSERT_EQ(study.runs.size(), 5U);
  EXPECT_EQ(study.runs[1].policy.knowledge_params.number("knowledge_runs"), 5);
  EXPECT_EQ(study.runs[2].policy.knowledge_params.number("knowledge_age_days"), 90);
  Inputs inputs(study);
  const auto notes = inputs.check();
  EXPECT_EQ(std::ranges::count(notes, Note{"run-halves", Severity::info, "", {{"knowledge", "other-half"}}}), 1);
  const auto truth = truth_of(inputs, study.runs[0]);
  std::vector<std::vector<double>> values;
  for (const RunPlan& run : study.runs) {
    const bool half = run.policy.knowledge == "other-half";
    EXPECT_EQ(truth_of(inputs, run) == truth, !half) << run.policy.knowledge;
    EXPECT_EQ(inputs.cluster_key(run) == inputs.cluster_key(study.runs[0]), !half);
    const auto& bins = inputs.load(run).believed.of(ClassId(0));
    EXPECT_EQ(std::count(values.begin(), values.end(), bins.values), 0) << run.policy.knowledge;
    values.push_back(bins.values);
  }
  EXPECT_EQ(values[0], bin_class(truth, study.runs[0].cluster.bins).values);
  EXPECT_EQ(values[3], std::vector<double>{1.0});
}

// A run's id is a hash of its resolved point: keys of one knowledge do not enter that of another, and the resolved
// study reads back to the same runs.
TEST_F(Knowledge, KeysEnterWhereTheyAreUsed) {
  const std::string axis = "[axes]\n\"policy.knowledge\" = [\"runs\", \"oracle\"]\n";
  const Study both = read(drawn(axis)), alone = read(drawn(""));
  EXPECT_EQ(both.runs[1].id, alone.runs[0].id);
  EXPECT_EQ(alone.resolved.find("knowledge_runs"), std::string::npos);
  const Study again = read(both.resolved);
  EXPECT_EQ(again.runs[0].id, both.runs[0].id);
  EXPECT_EQ(again.runs[1].id, both.runs[1].id);
  EXPECT_EQ(again.resolved, both.resolved);
  const auto unused = read(drawn("[policy]\nknowledge_runs = 3\n")).notes;
  EXPECT_EQ(std::ranges::count(unused, unused_key("policy.knowledge_runs")), 1);
}

// More runs, the same truth, another belief.
TEST_F(Knowledge, MoreRunsAreAnotherBelief) {
  const Study study = read(drawn("[policy]\nknowledge = \"runs\"\n[axes]\n\"policy.knowledge_runs\" = [1, 9]\n"));
  Inputs inputs(study);
  const auto one = inputs.load(study.runs[0]), nine = inputs.load(study.runs[1]);
  EXPECT_EQ(&one.truth, &nine.truth);
  EXPECT_NE(one.believed.of(ClassId(0)).of_gpu, nine.believed.of(ClassId(0)).of_gpu);
}

// Crossed seeds, as in experiments/trust.toml: each cluster is measured (or has drifted) for itself, so that an
// interval over clusters has the noise in it, and no workload seed changes it. The noise of a GPU is belief over truth
// before binning; with a bin for every GPU the belief is what was measured.
TEST_F(Knowledge, NoiseIsDrawnForEachCluster) {
  for (const std::string knowledge : {"runs\"", "stale\"\nknowledge_age_days = 90"}) {
    const auto beliefs = [&](const std::string& more) {
      const Study study =
          read(drawn("gpus = 16\nbins = 16\nclasses = \"reliable\"\n[policy]\nknowledge = \"" + knowledge + "\n" +
                     more + "[axes]\n\"cluster.seed\" = [1, 2]\n" + "\"policy.seed\" = [1, 2]\n"));
      Inputs inputs(study);
      std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<double>> noise;  // by cluster.seed, policy.seed
      for (const RunPlan& run : study.runs) {
        const auto& bins = inputs.load(run).believed.of(ClassId(0));
        const auto truth = truth_of(inputs, run);
        auto& own = noise[{run.cluster.seed, run.policy.seed}];
        for (std::size_t g = 0; g < truth.size(); ++g) own.push_back(bins.values[bins.of_gpu[g]] / truth[g]);
      }
      return noise;
    };
    auto own = beliefs("");
    EXPECT_EQ((own[{1, 1}]), (own[{1, 2}])) << knowledge;
    EXPECT_NE((own[{1, 1}]), (own[{2, 1}])) << knowledge;
    EXPECT_EQ(own, beliefs("")) << "the same seeds, another noise";
    auto shared = beliefs("knowledge_seed = \"policy\"\n");
    EXPECT_NE((shared[{1, 1}]), (shared[{1, 2}])) << knowledge;
  }
}

// Which seed draws the noise enters the point, and so the id, only where there is noise: no id stands for two meanings,
// and studies without such draws keep their ids.
TEST_F(Knowledge, TheSeedOfTheNoiseEntersWhereItIsDrawn) {
  const auto point = [&](const std::string& more) { return read(drawn(more)).resolved; };
  for (const std::string quiet : {"oracle", "flat", "other-half"}) {
    EXPECT_EQ(point("[policy]\nknowledge = \"" + quiet + "\"\n").find("knowledge_seed"), std::string::npos) << quiet;
  }
  EXPECT_NE(point("[policy]\nknowledge = \"runs\"\n").find("knowledge_seed = \"cluster\""), std::string::npos);
}

// Longhorn's ResNet-50 (A) and BERT (B, C) hardly repeat, PageRank (D) does: one warning of one line, which names the
// three classes and no other, however many runs and clusters there are. The classes "reliable" need none.
TEST_F(Knowledge, WarnsOnceOfAllClasses) {
  const std::string seeds = "[axes]\nseed = [1, 2, 3]\n\"cluster.source\" = [\"block\", \"measured\", \"bootstrap\"]\n";
  const auto notes = [&](const std::string& more) {
    const Study study = read(drawn(more + seeds));
    Inputs inputs(study);
    return inputs.check();
  };
  const auto pal = notes("");
  EXPECT_EQ(std::ranges::count(pal, "unrepeatable", &Note::id), 1);
  EXPECT_EQ(find(pal, "run-halves"), nullptr);
  const Note* weak = find(pal, "unrepeatable");
  ASSERT_NE(weak, nullptr);
  const ValueList& kernels = (*weak)["kernels"].list();
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[0]["kernel"], Value("longhorn-resnet50"));
  EXPECT_EQ(kernels[0]["classes"], Value(ValueList{"A"}));
  EXPECT_NEAR(kernels[0]["r"].number(), 0.05, 0.05);
  EXPECT_EQ(kernels[1]["kernel"], Value("longhorn-bert"));
  EXPECT_EQ(kernels[1]["classes"], Value(ValueList{"B", "C"}));
  EXPECT_LT(kernels[1]["r"].number(), 0);
  EXPECT_EQ(find(notes("classes = \"reliable\"\n"), "unrepeatable"), nullptr);
}

// GPU i of a block cluster does not depend on the cluster's size, through the study too.
TEST_F(Knowledge, BlockOfAnySize) {
  const Study study = read(drawn("gpus_per_node = 8\n[axes]\n\"cluster.gpus\" = [64, 4096]\n"));
  Inputs inputs(study);
  const Note doubled{"node-size", Severity::info, "longhorn-resnet50", {{"gpus", 8}, {"measured", 4}}};
  EXPECT_EQ(std::ranges::count(inputs.check(), doubled), 1);
  const auto small = truth_of(inputs, study.runs[0]);
  auto large = truth_of(inputs, study.runs[1]);
  ASSERT_EQ(large.size(), 4096U);
  large.resize(64);
  EXPECT_EQ(small, large);
}

}  // namespace
}  // namespace palstudy
