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

}  // namespace
}  // namespace palstudy
