// SPDX-License-Identifier: MIT
// Nodes that come up at an instant at which no job can start: they are room for the jobs that wait, once.
#include <gtest/gtest.h>

#include "sim/small_world.hpp"

namespace palstudy {
namespace {

/// Whole nodes of 8 GPUs that boot for 100 s and stop at once when no job needs them; jobs start at multiples of 360 s.
SmallWorld eager_nodes(std::uint32_t nodes) {
  SmallWorld world;
  world.nodes = nodes;
  world.gpus_per_node = 8;
  world.penalty = {1, 1, 1};
  world.engine.round_s = 360;
  PowerOptions power;
  power.off = "timer";
  power.rule.idle_s = 0;
  power.boot_s = 100;
  power.stop_s = 10;
  world.power = power;
  return world;
}

// A job that comes at 300 has the node, which is off, booted at 360. When that is done, at 460, the job still waits for
// the boundary at 720: the node is needed, and must not go off again.
TEST(RisingNodes, StayOnForTheJobThatWaits) {
  SmallWorld world = eager_nodes(1);
  world.add(300, 8, 100);
  world.measure.last = 0;
  EXPECT_EQ(world.run().jobs.start_s, (std::vector<double>{720}));
}

// One node is off. The other's job is seen to be done at 360, so that it stops from 360 to 760. Two jobs of a node each
// wait at 720, when the first node is booted; the second is at 760. At 860, when it is up, the first is idle, and both
// are needed: counted without the second, the first would go off.
TEST(RisingNodes, CountBesideThoseThatAreIdle) {
  SmallWorld world = eager_nodes(2);
  world.power->stop_s = 400;
  world.add(0, 8, 290);
  world.add(650, 8, 100);
  world.add(650, 8, 100);
  world.measure.last = 2;
  EXPECT_EQ(world.run().jobs.start_s, (std::vector<double>{0, 1080, 1080}));
}

}  // namespace
}  // namespace palstudy
