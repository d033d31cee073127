// SPDX-License-Identifier: MIT
// Which nodes go off first.
#include "inputs/power_world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace palstudy {
namespace {

/// Nodes of two GPUs, classes A and B.
class OffOrder : public ::testing::Test {
 protected:
  [[nodiscard]] std::vector<double> values(const std::string& order, const Slowdowns& believed,
                                           std::uint64_t seed = 1) const {
    RunPlan run;
    run.power.off = "timer";
    run.power.off_order = order;
    run.policy.seed = seed;
    const Topology topology(std::vector<NodeGroup>{{static_cast<std::uint32_t>(believed.gpus()) / 2, 2}}, 16);
    return power_world(run, {topology, Bins(believed, {.bins = 3}), &energy, &temperatures_c})->off_first;
  }
  [[nodiscard]] std::vector<double> values(const std::string& order, std::uint64_t seed = 1) const {
    return values(order, Slowdowns({"A", "B"}, 6, {1, 1, 1, 1.5, 1, 1.2, /* B */ 1, 1.1, 1, 1, 1, 1.1}), seed);
  }
  /// A node that is off first comes first; ties: the last node, as in the engine.
  [[nodiscard]] static std::vector<std::size_t> order_of(const std::vector<double>& values) {
    std::vector<std::size_t> nodes(values.size());
    std::iota(nodes.begin(), nodes.end(), std::size_t{0});
    std::sort(nodes.begin(), nodes.end(),
              [&](std::size_t a, std::size_t b) { return std::pair(values[a], a) > std::pair(values[b], b); });
    return nodes;
  }
  /// Base 300 W. A is capped at 300 W; B draws 100 W x the slowdown of A.
  static EnergyModel made_up() {
    EnergyModel model;
    model.classes = {{300, 300, 0}, {100, 100, 1}};
    model.leaky = ClassId(0);
    model.idle_w = 40;
    model.base_w = 300;
    return model;
  }

  EnergyModel energy = made_up();
  std::vector<double> temperatures_c = {60, 61, 70, 40, 62, 65, /* B */ 50, 51, 30, 30, 52, 58};
};

// By index the last one. The slowest GPUs of the nodes are 1, 1.5 and 1.2 in class A, 1.1, 1 and 1.1 in class B: in the
// mean node 1 is slowest, then node 2.
TEST_F(OffOrder, ByIndexAndBySlowdown) {
  EXPECT_EQ(values("index"), (std::vector<double>{0, 1, 2}));
  const auto slowest = values("slowest");
  EXPECT_GT(slowest[1], slowest[2]);
  EXPECT_GT(slowest[2], slowest[0]);
}

// Joules per GPU-second of ideal work, by hand. Node 0 is as fast as the median: A 300 + 2 x 300 = 900 W for two GPUs,
// 450 J; B 300 + 2 x 100 = 500 W, 250 J; mean 350. Node 1, A 1 and 1.5: 900 W for 1.5 s, 675 J; B 1 and 1, leaking:
// 300 + 100 + 150 = 550 W, 275 J; mean 475. Node 2, A 1.2 and 1.2: 540 J; B 1 and 1.1: the GPU of 1.1 draws 120 W all
// the time, the other 120 W for 1 / 1.1 of it and 100 W while it waits: (420 + 100 + 20 / 1.1) x 1.1 / 2 = 296 J.
// Node 3 is as node 0, so that the median GPU has the slowdown 1.
TEST_F(OffOrder, ByJoulesPerWork) {
  const auto joules =
      values("joules", Slowdowns({"A", "B"}, 8, {1, 1, 1, 1.5, 1.2, 1.2, 1, 1, /* B */ 1, 1, 1, 1, 1, 1.1, 1, 1}));
  EXPECT_NEAR(joules[0], 350, 1e-9);
  EXPECT_NEAR(joules[1], 475, 1e-9);
  EXPECT_NEAR(joules[2], (540 + 296) / 2.0, 1e-9);
  EXPECT_NEAR(joules[3], 350, 1e-9);
}

// A node that is slow in the class that draws little is slower in the mean, and spends less: node 1, B 1.5, has 1.25
// and (450 + 375) / 2 = 412.5 J; node 2, A 1.3, has 1.15 and (585 + 280) / 2 = 432.5 J.
TEST_F(OffOrder, TheSlowestIsNotTheOneThatSpendsMost) {
  const Slowdowns believed({"A", "B"}, 8, {1, 1, 1, 1, 1.3, 1.3, 1, 1, /* B */ 1, 1, 1.5, 1.5, 1, 1, 1, 1});
  EXPECT_EQ(order_of(values("slowest", believed)), (std::vector<std::size_t>{1, 2, 3, 0}));
  EXPECT_EQ(order_of(values("joules", believed)), (std::vector<std::size_t>{2, 1, 3, 0}));
  EXPECT_NEAR(values("joules", believed)[1], 412.5, 1e-9);
  EXPECT_NEAR(values("joules", believed)[2], 432.5, 1e-9);
}

// The hottest GPUs are at 61, 70 and 65 degrees in class A and at 51, 30 and 58 in class B: in the mean 56, 50, 61.5.
TEST_F(OffOrder, ByTemperature) { EXPECT_EQ(values("hottest"), (std::vector<double>{56, 50, 61.5})); }

// Nodes that are all alike tie in every order that is not drawn, so that the last goes off first as by index.
TEST_F(OffOrder, AlikeNodesTie) {
  temperatures_c.assign(12, 60);
  for (const char* order : {"slowest", "joules", "hottest"}) {
    EXPECT_EQ(order_of(values(order, Slowdowns::flat({"A", "B"}, 6))), order_of(values("index"))) << order;
  }
}

TEST_F(OffOrder, DrawnBySeed) {
  EXPECT_EQ(values("random", 1), values("random", 1));
  EXPECT_NE(values("random", 1), values("random", 2));
}

TEST(PowerWorldTest, NoneWhereAllNodesStayOn) {
  const Topology topology(std::vector<NodeGroup>{{1, 2}}, 16);
  EXPECT_FALSE(power_world(RunPlan{}, {topology, Bins(Slowdowns::flat({"A"}, 2), {.bins = 1})}));
}

}  // namespace
}  // namespace palstudy
