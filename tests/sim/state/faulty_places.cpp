// SPDX-License-Identifier: MIT
#include "sim/state/faulty_places.hpp"

#include <gtest/gtest.h>

namespace palstudy {
namespace {

// Factors are of mean 1, so that the shares of attempts that fail stay what they are: exponential ones have standard
// deviation 1, so the mean of 4,096 is known to 0.016. GPUs of a node share one, and slow GPUs have larger ones.
TEST(FaultyPlaces, FactorsHaveMeanOneAndGoWithSlownessIfWanted) {
  const std::vector<NodeGroup> groups = {{1024, 4}};
  const Topology topology(groups, 16);
  std::vector<double> values;
  for (std::uint32_t g = 0; g < topology.gpus(); ++g) values.push_back(g % 8 < 4 ? 1.0 : 1.5);
  const Slowdowns truth({"A"}, topology.gpus(), values);
  const auto mean = [&](const FaultyPlaces& places, std::uint32_t from) {
    double sum = 0;
    for (std::uint32_t g = 0; g < topology.gpus(); ++g) sum += g % 8 / 4 == from ? places.factor(g) : 0;
    return sum / (topology.gpus() / 2.0);
  };
  const FaultyPlaces jobs(topology, truth, Faults::job, false, 1), nodes(topology, truth, Faults::node, false, 1);
  const FaultyPlaces gpus(topology, truth, Faults::gpu, false, 1), slow(topology, truth, Faults::gpu, true, 1);
  EXPECT_EQ(jobs.factor(17), 1.0);
  EXPECT_EQ(nodes.factor(4), nodes.factor(7));
  EXPECT_NE(gpus.factor(4), gpus.factor(7));
  EXPECT_NEAR((mean(gpus, 0) + mean(gpus, 1)) / 2, 1, 0.05);
  EXPECT_NEAR((mean(nodes, 0) + mean(nodes, 1)) / 2, 1, 0.1);
  EXPECT_EQ(mean(slow, 0), 0);  // as fast as the fastest
  EXPECT_NEAR(mean(slow, 1), 2, 0.15);
}

}  // namespace
}  // namespace palstudy
