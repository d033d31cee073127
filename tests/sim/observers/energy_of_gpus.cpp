// SPDX-License-Identifier: MIT
// What single GPUs draw: each by its own slowdown and leakage, wherever its partition begins. And that a long state is
// restored.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/observers/energy.hpp"
#include "sim/partition_parts.hpp"
#include "sim/state/state_archive.hpp"

namespace palstudy {
namespace {

/// Nodes of eight GPUs without a locality penalty, of 300 W beside their GPUs, up to an hour.
SmallWorld drawing_nodes(std::uint32_t nodes) {
  SmallWorld world;
  world.nodes = nodes;
  world.gpus_per_node = 8;
  world.engine.round_s = 100;
  world.energy.emplace();
  world.energy->base_w = 300;
  world.energy->horizon_s = 3600;
  return world;
}

// Seven GPUs take 0.4 times as long as the reference and one 0.8 times, so that the job takes 800 s, half of which the
// seven wait, at 172 W instead of 300 W: 236 W in the mean.
TEST(EnergyOfGpus, FastGpusWaitForTheSlowestOfThem) {
  SmallWorld world = drawing_nodes(1);
  world.slowdown_values.assign(8, 0.4);
  world.slowdown_values[5] = 0.8;
  world.energy->classes = {{300, 172, 0}};
  world.add(0, 8, 1000);
  world.measure.last = 0;
  const RunResult run = world.run();
  EXPECT_DOUBLE_EQ(run.jobs.finish_s[0], 800);
  EXPECT_NEAR(run.job_energy_j[0], 800 * (300 + 7 * 236 + 300), 1e-3);
}

// The GPUs of the second partition are 1.1 times as slow under a cap, so that for class B they draw 1.1^1.15 times as
// much; one of them also takes 1.1 times as long, for which the others wait, at 60 W, a tenth of 1,000 s. Those of the
// first partition are as on paper.
TEST(EnergyOfGpus, AreThoseOfThePartition) {
  SmallWorld world = drawing_nodes(2);
  world.partitions = 2;
  world.routing = "tenant";
  world.tenant_names = {"a", "b"};
  world.of_tenant = {PartitionId(0), PartitionId(1)};
  world.classes = {"A", "B"};
  world.slowdown_values.assign(32, 1.0);
  for (std::size_t gpu = 8; gpu < 16; ++gpu) world.slowdown_values[gpu] = 1.1;
  world.slowdown_values[16 + 13] = 1.1;
  world.energy->classes = {{300, 300, 0}, {80, 60, 1.15}};
  world.energy->leaky = ClassId(0);
  for (const std::uint16_t tenant : {std::uint16_t{0}, std::uint16_t{1}}) {
    world.add(0, 8, 1000, 1);
    world.jobs.back().tenant = tenant;
  }
  world.measure.last = 1;
  const RunResult run = world.run();
  const double own_w = 80 * std::pow(1.1, 1.15);
  EXPECT_NEAR(run.job_energy_j[0], 1000 * (300 + 8 * 80), 1e-3);
  EXPECT_NEAR(run.job_energy_j[1], 1100 * (300 + own_w) + 7 * (1000 * own_w + 100 * 60), 1e-3);
}

// A node that was booting for a second of every three, a thousand times, was so before and after the state is restored.
TEST(EnergyOfGpus, ManyPausesOfNodesAreRestored) {
  SmallWorld world = drawing_nodes(1);
  world.energy->classes = {{300, 300, 0}};
  world.add(0, 8, 1000);
  world.measure.last = 0;
  with_parts(world, [](PartitionParts& parts) {
    Energy before(parts.state), after(parts.state);
    for (int i = 0; i < 1000; ++i) before.node({NodeId(0), 3.0 * i, 3.0 * i + 1, NodeState::booting});
    from_bytes(to_bytes([&](StateOut& archive) { archive << before; }), [&](StateIn& archive) { archive >> after; });
    PartitionRecord record;
    after.close(record, 3600);
    EXPECT_EQ(record.power.state.back(), PowerState::booting);
    EXPECT_EQ(record.power.node_s.back(), 1000);
    EXPECT_EQ(record.power.gpu_s.back(), 8000);
  });
}

}  // namespace
}  // namespace palstudy
