// SPDX-License-Identifier: MIT
// Intervals over resamples of one trace, where the truth is known: a trace is n blocks, what is estimated is their
// mean, and a resample is the mean of n draws from them.
#include "stats/resampled.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "stats/paired.hpp"
#include "stats/simulated.hpp"

namespace palstudy {
namespace {

constexpr double truth = -0.2;

struct Design {
  std::size_t blocks = 12, seeds = 20, clusters = 1;
  double cluster_spread = 0;
  bool together = false;  ///< a cluster seed with each workload seed, not crossed
};

TraceSample sample_of(std::size_t blocks) {
  const auto n = static_cast<double>(blocks);
  return {blocks, n - 1, n / (n - 1)};
}

Improvement improvement_of(const Design& design, RandomStream& random, bool as_resamples) {
  std::vector<double> blocks(design.blocks), clusters(design.together ? design.seeds : design.clusters);
  for (double& block : blocks) block = truth + 0.3 * normal(random);
  for (double& cluster : clusters) cluster = design.cluster_spread * normal(random);
  std::vector<Pair> pairs;
  for (std::size_t seed = 0; seed < design.seeds; ++seed) {
    double mean = 0;
    for (std::size_t i = 0; i < design.blocks; ++i) {
      mean += blocks[random.below(static_cast<std::uint32_t>(design.blocks))] / static_cast<double>(design.blocks);
    }
    for (std::size_t c = 0; c < design.clusters; ++c) {
      const std::size_t cluster = design.together ? seed : c;
      pairs.push_back({std::exp(mean + clusters[cluster]), 1, cluster, seed});
    }
  }
  Comparing how;
  if (as_resamples) how.resampled = sample_of(design.blocks);
  return improvement(pairs, how);
}

double coverage(const Design& design, bool as_resamples = true) {
  return share_of_campaigns(design.blocks, campaigns, [&](RandomStream& random) {
    const Improvement got = improvement_of(design, random, as_resamples);
    return *got.ratio_low <= std::exp(truth) && std::exp(truth) <= *got.ratio_high;
  });
}

// Few blocks, many blocks, few and many seeds: 93 to 97.5 % hold the truth. A mean over seeds, which takes each of them
// for another workload, holds it in less than two thirds, and the less the more seeds there are.
TEST(ResampledInterval, HoldsTheTruthAsOftenAsItSays) {
  for (const Design& design : {Design{8, 20}, Design{12, 20}, Design{42, 30}, Design{42, 100}}) {
    const double share = coverage(design);
    EXPECT_GE(share, 0.93) << design.blocks;
    EXPECT_LE(share, 0.975) << design.blocks;
  }
  EXPECT_LT(coverage({42, 30}, false), 0.66);
  EXPECT_LT(coverage({42, 100}, false), 0.4);
}

// Ten clusters crossed with the resamples: their mean wanders by a tenth of their variance, which comes on top. Where
// each resample has a cluster of its own, the spread of both is taken for that of the trace: too wide, never too
// narrow.
TEST(ResampledInterval, CountsTheClustersOnTop) {
  const double crossed = coverage({12, 20, 10, 0.2});
  EXPECT_GE(crossed, 0.93);
  EXPECT_LE(crossed, 0.98);
  EXPECT_GE(coverage({12, 20, 1, 0.2, true}), 0.95);
}

// By hand: workloads 1 and 3 with one value each of two clusters. s^2 between them is 2, widened by 1.5 to 3; their
// mean of 2 has the error s^2 / 2 = 1. Degrees: 1 / (1/2 + 1/1) = 2/3 of 3, and 1 of 1: 16 / (9 / (2/3) + 1).
TEST(ResampledInterval, IsTheSumOfBothVariances) {
  const std::vector<Observation> seen = {{1, 0, 0}, {3, 0, 1}};
  const Estimate got = resampled_estimate(seen, {3, 2, 1.5});
  EXPECT_DOUBLE_EQ(got.centre, 2);
  EXPECT_DOUBLE_EQ(got.standard_error, 2);
  EXPECT_DOUBLE_EQ(got.degrees, 16 / 14.5);
}

// Seven blocks say too little about others of their kind, and seven seeds about these blocks; both are said.
TEST(ResampledInterval, WantsBlocksAndSeeds) {
  RandomStream random(1, Purpose::resample, 0);
  const auto few_blocks = improvement_of({7, 20}, random, true), few_seeds = improvement_of({12, 7}, random, true);
  EXPECT_FALSE(few_blocks.ratio_low);
  EXPECT_EQ(few_blocks.no_interval, (NoInterval{Missing::few_blocks, 7, 8}));
  EXPECT_FALSE(few_seeds.ratio_low);
  const auto enough = improvement_of({8, 8}, random, true);
  EXPECT_TRUE(enough.ratio_low);
  EXPECT_EQ(enough.method, IntervalMethod::of_resamples);
}

// Where nothing differs there is no error, and the degrees of freedom are those between the workloads, 1 / (1/2 + 1/1).
TEST(ResampledInterval, OfEqualValuesHasTheDegreesBetweenThem) {
  const Estimate got = resampled_estimate(std::vector<Observation>{{5, 0, 0}, {5, 0, 1}}, {3, 2, 1.5});
  EXPECT_EQ(got.centre, 5);
  EXPECT_EQ(got.standard_error, 0);
  EXPECT_DOUBLE_EQ(got.degrees, 2.0 / 3);
}

// The reason names what is short of eight: what the trace has to draw from, before all, or the seeds, of which each is
// counted once however many clusters it is seen on.
TEST(ResampledInterval, SaysWhatIsTooFew) {
  std::vector<Observation> seen;
  const auto why = [&](std::size_t seeds, std::size_t days) {
    seen.clear();
    for (std::size_t seed = 0; seed < seeds; ++seed) {
      for (std::size_t cluster = 0; cluster < 3; ++cluster) seen.push_back({1, cluster, seed});
    }
    return no_resampled_interval(seen, {days, 6, 1.5});
  };
  EXPECT_EQ(why(7, 7), (NoInterval{Missing::few_blocks, 7, 8}));
  EXPECT_EQ(why(7, 8), (NoInterval{Missing::few_resamples, 7, 8}));
  EXPECT_FALSE(why(8, 8));
}

}  // namespace
}  // namespace palstudy
