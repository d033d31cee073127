// SPDX-License-Identifier: MIT
// Which nodes go off first.
#include "inputs/power_world.hpp"

#include <gtest/gtest.h>

namespace palstudy {
namespace {

class OffOrder : public ::testing::Test {
 protected:
  [[nodiscard]] std::vector<double> values(const std::string& order, std::uint64_t seed = 1) const {
    RunPlan run;
    run.power.off = "timer";
    run.power.off_order = order;
    run.policy.seed = seed;
    const Slowdowns believed({"A", "B"}, 6, {1, 1, 1, 1.5, 1, 1.2, /* B */ 1, 1.1, 1, 1, 1, 1.1});
    return power_world(run, Topology(std::vector<NodeGroup>{{3, 2}}, 16), Bins(believed, {.bins = 3}))->off_first;
  }
};

// By index the last one. The slowest GPUs of the nodes are 1, 1.5 and 1.2 in class A, 1.1, 1 and 1.1 in class B: in the
// mean node 1 is slowest, then node 2.
TEST_F(OffOrder, ByIndexAndBySlowdown) {
  EXPECT_EQ(values("index"), (std::vector<double>{0, 1, 2}));
  const auto slowest = values("slowest");
  EXPECT_GT(slowest[1], slowest[2]);
  EXPECT_GT(slowest[2], slowest[0]);
}

TEST_F(OffOrder, DrawnBySeed) {
  EXPECT_EQ(values("random", 1), values("random", 1));
  EXPECT_NE(values("random", 1), values("random", 2));
}

TEST(PowerWorldTest, NoneWhereAllNodesStayOn) {
  const Topology topology(std::vector<NodeGroup>{{1, 2}}, 16);
  EXPECT_FALSE(power_world(RunPlan{}, topology, Bins(Slowdowns::flat({"A"}, 2), {.bins = 1})));
}

}  // namespace
}  // namespace palstudy
