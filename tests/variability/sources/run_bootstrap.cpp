// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "variability/drawn.hpp"
#include "variability/made_up.hpp"

namespace palstudy {
namespace {

using made_up::cluster;

// Four runs with the median 2.5: the slowdowns there are to draw are 0.4, 0.8, 1.2 and 1.6.
Measurements four_runs() {
  Measurements measured;
  measured.name = "four";
  measured.gpus.push_back({"a", "", -1, {1, 3}, 2});
  measured.gpus.push_back({"b", "", -1, {2, 4}, 3});
  return measured;
}

// Every slowdown is a run over the median run (not a GPU's median), and every run is drawn about as often: of 4,000
// draws each has 1,000 with a standard deviation of 27; 5 of these are allowed. The draws are fixed by the seed.
TEST(Bootstrap, DrawsRunsOverTheMedianRun) {
  const Measurements measured = four_runs();
  const auto slowdowns = draw_cluster("bootstrap", {{"A", &measured}}, cluster(1000, 4), 7).slowdowns;
  std::map<double, int> count;
  for (const double s : slowdowns.of(ClassId(0))) ++count[s];
  ASSERT_EQ(count.size(), 4U);
  for (const double expected : {1 / 2.5, 2 / 2.5, 3 / 2.5, 4 / 2.5}) EXPECT_NEAR(count[expected], 1000, 137);
}

// GPU g and class c of a small cluster are those of a large one, whatever the nodes look like.
TEST(Bootstrap, DoesNotDependOnTheSize) {
  const Measurements measured = made_up::machine("m", 0, 30, 4);
  const ClassMeasurements classes = {{"A", &measured}, {"B", &measured}};
  const auto small = draw_cluster("bootstrap", classes, cluster(4, 4), 3).slowdowns;
  const auto large = draw_cluster("bootstrap", classes, cluster(100, 8), 3).slowdowns;
  for (std::size_t c = 0; c < 2; ++c) {
    const auto first = small.of(ClassId(c));
    EXPECT_TRUE(std::equal(first.begin(), first.end(), large.of(ClassId(c)).begin()));
  }
}

// Classes that name one kernel draw by themselves, and another seed is another cluster: of 400 GPUs with 360 runs to
// draw from, the same draw by chance comes about once; a tenth of them equal would be a broken stream.
TEST(Bootstrap, ClassesAndSeedsAreIndependent) {
  const Measurements measured = made_up::machine("m", 0, 30, 4);
  const ClassMeasurements classes = {{"A", &measured}, {"B", &measured}};
  const auto one = draw_cluster("bootstrap", classes, cluster(100, 4), 1).slowdowns;
  const auto two = draw_cluster("bootstrap", classes, cluster(100, 4), 2).slowdowns;
  int equal_classes = 0, equal_seeds = 0;
  for (std::uint32_t g = 0; g < 400; ++g) {
    equal_classes += one.at(ClassId(0), GpuId(g)) == one.at(ClassId(1), GpuId(g));
    equal_seeds += one.at(ClassId(0), GpuId(g)) == two.at(ClassId(0), GpuId(g));
  }
  EXPECT_LT(equal_classes, 40);
  EXPECT_LT(equal_seeds, 40);
}

// What the published simulator's gain rests on: with real ResNet-50 runs 19 of 1,404 are over 2 (1.35 %), so that of
// 64,000 GPUs about 866 are (standard deviation 29), though no GPU of the machine has such a median.
TEST(Bootstrap, TurnsSlowRunsIntoSlowGpus) {
  const Measurements resnet =
      read_measurements(std::string(PALSTUDY_SOURCE_DIR) + "/kernels/measurements", "longhorn-resnet50");
  const auto slowdowns = draw_cluster("bootstrap", {{"A", &resnet}}, cluster(16000, 4), 1).slowdowns;
  const auto a = slowdowns.of(ClassId(0));
  EXPECT_NEAR(static_cast<double>(std::count_if(a.begin(), a.end(), [](double s) { return s > 2; })), 866, 150);
}

// A slowdown is a run of the GPU that it was drawn from: of the four runs above 0.4 and 1.2 are of the first GPU.
TEST(Bootstrap, SourcesAreTheGpusOfTheRuns) {
  const Measurements measured = four_runs(), other = made_up::machine("m", 0, 30, 4);
  const ClassMeasurements classes = {{"A", &other}, {"B", &measured}};
  const auto slowdowns = draw_cluster("bootstrap", classes, cluster(20, 4), 7).slowdowns;
  const SourceGpus sources = draw_cluster("bootstrap", classes, cluster(20, 4), 7).from;
  ASSERT_EQ(sources.size(), 160U);
  for (std::uint32_t g = 0; g < 80; ++g) {
    const double slowdown = slowdowns.at(ClassId(1), GpuId(g));
    EXPECT_EQ(sources[80 + g], slowdown == 1 / 2.5 || slowdown == 3 / 2.5 ? 0U : 1U);
  }
}

}  // namespace
}  // namespace palstudy
