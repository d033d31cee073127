// SPDX-License-Identifier: MIT
// Nodes that go down or drain in a whole run, by hand; parts.cpp has the effect alone.
#include <gtest/gtest.h>

#include "sim/small_world.hpp"

namespace palstudy {
namespace {

// Tenant a has nodes 0 and 1, b nodes 2 and 3, each with a job of 500 s on all eight GPUs; rounds of 100 s. Node 2 is
// down from 200 s to 400 s: b's job stops with 200 s done and goes on at 400 s. Node 1 drains from 100 s to 900 s: a's
// job runs on, and of the two that a has from 550 s on, for one node each, the second waits for it.
TEST(Outages, AreOfTheNodesOfTheirPartition) {
  SmallWorld world;
  world.nodes = 4;
  world.partitions = 2;
  world.routing = "tenant";
  world.tenant_names = {"a", "b"};
  world.of_tenant = {PartitionId(0), PartitionId(1)};
  world.penalty = {1, 1, 1};
  world.engine.round_s = 100;
  world.add(0, 8, 500);
  world.add(0, 8, 500);
  world.jobs.back().tenant = 1;
  world.add(550, 4, 1000);
  world.add(550, 4, 1000);
  world.measure.last = 3;
  world.outages = {{NodeId(2), 200, 400}, {NodeId(1), 100, 900, true}};
  const RunResult result = world.run();
  EXPECT_EQ(result.jobs.partition, (std::vector<std::int32_t>{0, 1, 0, 0}));
  EXPECT_EQ(result.jobs.start_s, (std::vector<double>{0, 0, 600, 900}));
  EXPECT_EQ(result.jobs.finish_s, (std::vector<double>{500, 700, 1600, 1900}));
  EXPECT_EQ(result.jobs.preemptions, (std::vector<std::uint32_t>{0, 1, 0, 0}));
  EXPECT_EQ(result.jobs.exec_s[1], 500);
}

}  // namespace
}  // namespace palstudy
