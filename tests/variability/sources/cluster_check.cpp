// SPDX-License-Identifier: MIT
#include "variability/sources/cluster_check.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "stats/descriptive.hpp"
#include "variability/made_up.hpp"

namespace palstudy {
namespace {

// By hand: nodes {1, 2} and {1, 4} stand for GPUs of 0.5, 1, 1.05 and 3. The p-quantile of four values lies at 3 p of
// the way through them; 1.05 itself is not over 1.05; under 1 the generated GPUs have a quarter more. Of the source the
// variance between nodes is 1 and within them 2.5, so that the correlation is -1.5 / 3.5. Of 8 measured GPUs, which are
// four nodes, the largest is 2 once in 16 cases, else 4; four generated GPUs have no 8.
TEST(ClassChecks, AreByHand) {
  const SourceNodes source{{1, 2}, {1, 4}};
  const std::vector<double> made = {0.5, 1, 1.05, 3};
  const ClassCheck check = check_class(made, made_up::cluster(2, 2), source);
  EXPECT_EQ(check.source_gpus, 4U);
  EXPECT_EQ(check.source_nodes, 2U);
  EXPECT_NEAR(check.ks, 0.25, 1e-12);
  const std::vector<CheckedFigure> expected = {{"least", 0.5, 1},
                                               {"p0.1", 0.5015, 1},
                                               {"p1", 0.515, 1},
                                               {"p5", 0.575, 1},
                                               {"p50", 1.025, 1.5},
                                               {"p95", 2.7075, 3.7},
                                               {"p99", 2.9415, 3.94},
                                               {"p99.9", 2.99415, 3.994},
                                               {"largest", 3, 4},
                                               {"share over 1.05", 0.25, 0.5},
                                               {"correlation within nodes", 0.6125 / 2.63875, -1.5 / 3.5}};
  ASSERT_EQ(check.figures.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(check.figures[i].name, expected[i].name);
    EXPECT_NEAR(check.figures[i].generated, expected[i].generated, 1e-9) << expected[i].name;
    EXPECT_NEAR(check.figures[i].source, expected[i].source, 1e-9) << expected[i].name;
  }
  ASSERT_EQ(check.expected_max.size(), 7U);
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_EQ(check.expected_max[i].name, std::to_string(4 << i));
    EXPECT_EQ(std::isnan(check.expected_max[i].generated), i > 0);
  }
  EXPECT_EQ(check.expected_max[0].generated, 3);
  EXPECT_NEAR(check.expected_max[1].source, 2 / 16.0 + 4 * 15 / 16.0, 1e-12);
}

// The correlation is within groups of a measured node's size: a wider node has several, the GPUs that are left over
// belong to none, and where a node is narrower, it is the group; of one GPU there is nothing to correlate.
TEST(ClassChecks, CorrelateWithinGroupsOfAMeasuredNode) {
  const SourceNodes source{{1, 2}, {1, 4}};
  const auto correlation = [&](const std::vector<double>& made, std::uint32_t nodes, std::uint32_t gpus) {
    return check_class(made, made_up::cluster(nodes, gpus), source).figures.back().generated;
  };
  const double pairs = 0.6125 / 2.63875;
  EXPECT_NEAR(correlation({0.5, 1, 1.05, 3}, 1, 4), pairs, 1e-9);
  EXPECT_NEAR(correlation({0.5, 1, 9, 1.05, 3, 8}, 2, 3), pairs, 1e-9);
  EXPECT_TRUE(std::isnan(correlation({0.5, 1, 1.05, 3}, 4, 1)));
}

// Each class is compared with the measured nodes of its own kernel, of the size that most nodes of the cluster have.
TEST(ClassChecks, TakeNodesOfTheMostCommonSize) {
  Measurements m = made_up::machine("m", 0, 20, 2);
  const Measurements wide = made_up::machine("m", 20, 17, 4), n = made_up::machine("n", 0, 18, 4);
  m.gpus.insert(m.gpus.end(), wide.gpus.begin(), wide.gpus.end());
  const auto checked = [&](const std::vector<NodeGroup>& groups) {
    const Topology topology(groups, 16);
    std::vector<double> values(topology.gpus(), 1.0);
    values.resize(std::size_t{2} * topology.gpus(), 2.0);
    return check_cluster(Slowdowns({"A", "B"}, topology.gpus(), values), topology, {{"A", &m}, {"B", &n}});
  };
  const auto twos = checked({{2, 4}, {3, 2}});
  ASSERT_EQ(twos.size(), 2U);
  EXPECT_EQ(twos[0].class_name, "A");
  EXPECT_EQ(twos[0].kernel, "m");
  EXPECT_EQ(twos[0].source_nodes, 20U);
  EXPECT_EQ(twos[0].source_gpus, 40U);
  EXPECT_EQ(twos[0].figures.front().generated, 1);
  EXPECT_EQ(twos[1].class_name, "B");
  EXPECT_EQ(twos[1].kernel, "n");
  EXPECT_EQ(twos[1].source_nodes, 18U) << "none of two was measured, so the usual ones";
  EXPECT_EQ(twos[1].source_gpus, 72U);
  EXPECT_EQ(twos[1].figures.front().generated, 2);
  EXPECT_EQ(checked({{3, 4}, {2, 2}})[0].source_nodes, 17U);
}

// Sixteen measured nodes of the size wanted are enough; of fewer those of the usual size stand for them if there are
// more of these. Of two sizes that are as common the larger is usual.
TEST(ClassChecks, DonorsAreOfTheUsualSizeWhereThereAreTooFew) {
  const auto nodes = [](int of_two, int of_four, std::uint32_t wanted) {
    Measurements m = made_up::machine("m", 0, of_two, 2);
    const Measurements wide = made_up::machine("m", of_two, of_four, 4);
    m.gpus.insert(m.gpus.end(), wide.gpus.begin(), wide.gpus.end());
    const SourceNodes found = source_nodes(m, wanted);
    return std::pair(found.size(), found.front().size());
  };
  using Found = std::pair<std::size_t, std::size_t>;
  EXPECT_EQ(nodes(16, 30, 2), Found(16, 2));
  EXPECT_EQ(nodes(15, 30, 2), Found(30, 4));
  EXPECT_EQ(nodes(15, 15, 2), Found(15, 2));
  EXPECT_EQ(nodes(3, 3, 8), Found(3, 4));
  EXPECT_EQ(nodes(4, 3, 8), Found(4, 2));
}

}  // namespace
}  // namespace palstudy
