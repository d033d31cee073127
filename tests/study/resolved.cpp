// SPDX-License-Identifier: MIT
// The resolved study runs again from the archive: it must read back to the same runs, whatever the study was.
#include <fstream>
#include <sstream>

#include "campaign/scratch.hpp"
#include "study/resolved_text.hpp"

namespace palstudy {
namespace {

void expect_same(const Study& a, const Study& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.title, b.title);
  EXPECT_EQ(a.baselines, b.baselines);
  EXPECT_EQ(a.compare_metric, b.compare_metric);
  EXPECT_EQ(a.resolved, b.resolved);
  const ParsedStudy parsed = parse_keys(parse_toml(a.resolved, a.name));
  EXPECT_EQ(study_text(parsed.base, parsed.axes), a.resolved) << "a bundle is made of it in this way";
  ASSERT_EQ(a.axes.size(), b.axes.size());
  for (std::size_t i = 0; i < a.axes.size(); ++i) {
    EXPECT_EQ(a.axes[i].key, b.axes[i].key);
    EXPECT_EQ(a.axes[i].type, b.axes[i].type) << a.axes[i].key;
  }
  ASSERT_EQ(a.runs.size(), b.runs.size());
  for (std::size_t i = 0; i < a.runs.size(); ++i) {
    EXPECT_EQ(a.runs[i].id, b.runs[i].id) << i;
    EXPECT_EQ(a.runs[i].values, b.runs[i].values) << i;
    EXPECT_EQ(a.runs[i].measured.by, b.runs[i].measured.by) << i;
  }
}

class Resolved : public Scratch, public ::testing::WithParamInterface<std::string> {};

TEST_P(Resolved, ReadsBackToTheSameRuns) {
  const Study study = read(minimal + GetParam());
  const Study again = read_study(write("study-resolved.toml", study.resolved));
  expect_same(study, again);
}

INSTANTIATE_TEST_SUITE_P(
    Studies, Resolved,
    ::testing::Values("", "seed = 4\npolicy.seed = 9", "network.penalty = { node = 1.1, cluster = 2 }",
                      "policy.locality.cluster = 1", "cluster.partitions = [32, 16, 16]",
                      "cluster.partitions = { b = 32, \"a b\" = 32 }\nrouting.policy = \"tenant\"",
                      "[axes]\n\"cluster.partitions\" = [1, 4, [32, 32]]", "cluster.outages = \"o.csv\"",
                      "[axes]\n\"policy.scheduler\" = [\"list\"]", "[axes]\n\"network.penalty.cluster\" = [1, 2]",
                      "[axes]\n\"policy.locality.node\" = [1.0, 2.0]\n\"policy.locality.cluster\" = [3.0]",
                      "[axes]\nseed = { first = 3, count = 4 }\n\"policy.placement\" = [\"pal\", \"packed-sticky\"]",
                      "[axes]\n\"engine.round_s\" = [300.0, 360.0]", "[axes]\n\"engine.round_s\" = [300, 0.1]",
                      "[axes]\n\"engine.starvation_s\" = [inf, 1e30, 36000]",
                      "[axes]\n\"cluster.bins\" = [\"silhouette\", 4]",
                      "[axes]\n\"output.events\" = [true, false]\n\"cluster.seed\" = [2, 1]",
                      "[axes]\n\"power.off\" = [\"low-water\", \"oracle\"]",
                      "[power]\noff = \"timer\"\nbase_w = 15\n[axes]\n\"power.account\" = [false, true]",
                      "cluster.nodes = [{ count = 3, gpus = 8 }]",
                      "measure = { warmup_s = 10, window_s = 1e5, end_s = 1e7 }", "measure.jobs.last = 7",
                      "[axes]\n\"interference.intra\" = [1.5, 2.5]",
                      "workload.copies = 2\n[axes]\n\"measure.window_s\" = [7, 8]",
                      "workload.copies = 2\nmeasure.window_s = 7\n[axes]\n\"measure.warmup_s\" = [0, 1]",
                      "[axes]\n\"measure.jobs.last\" = [7, 8]", "[axes]\n\"measure.window_s\" = [7, 8]",
                      "study.title = \"quotes \\\" and \\\\ and \\u00e9\"\ncompare.baseline = "
                      "[\"pal\"]\ncompare.metric = \"makespan_s\""));

// A placement that comes to the axis later may change them, and the campaign has to go on.
TEST_F(Resolved, DefaultsThatFollowAnAxisAreLeftOut) {
  const std::string order = "policy.order = \"las2d\"\n";
  EXPECT_NE(read(minimal + order).resolved.find("promote"), std::string::npos);
  EXPECT_EQ(read(minimal + order + "axes.\"policy.placement\" = [\"pal\"]\n").resolved.find("promote"),
            std::string::npos);
}

TEST_F(Resolved, OfAGeneratorHasItsParameters) {
  const std::string text =
      "cluster.source = \"measured\"\nmeasure.jobs.last = 159\n[workload]\ngenerator = "
      "\"synergy\"\n[axes]\n\"workload.jobs_per_h\" = [8, "
      "9.5]\n";
  const Study study = read(text);
  EXPECT_EQ(study.runs.at(1).workload.generator_params.number("jobs_per_h"), 9.5);
  expect_same(study, read_study(write("again.toml", study.resolved)));
}

class Experiments : public ::testing::TestWithParam<std::string> {};

TEST_P(Experiments, ReadAndReadBack) {
  const auto folder = std::filesystem::path(PALSTUDY_SOURCE_DIR) / "experiments";
  const Study study = read_study(folder / (GetParam() + ".toml"));
  EXPECT_EQ(study.name, GetParam());
  EXPECT_TRUE(study.notes.empty());
  const auto again = std::filesystem::temp_directory_path() / ("palstudy-resolved-" + GetParam() + ".toml");
  std::ofstream(again) << study.resolved;
  expect_same(study, read_study(again));
  std::filesystem::remove(again);
}

INSTANTIATE_TEST_SUITE_P(All, Experiments,
                         ::testing::Values("sia-philly", "locality-sweep", "load-fifo", "load-las", "load-srtf",
                                           "straggler"));

}  // namespace
}  // namespace palstudy
