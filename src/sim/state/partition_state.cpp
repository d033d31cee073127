// SPDX-License-Identifier: MIT
#include "sim/state/partition_state.hpp"

#include <utility>

namespace palstudy {

PartitionState::PartitionState(const World& world_of_run, PartitionResources own, const PlacementPolicy& placement,
                               JobTable& jobs, std::vector<std::uint32_t>& slot_of, Shapes& shapes_of_run,
                               RunRows& rows_of_run)
    : world(world_of_run),
      resources(std::move(own)),
      expected_slowdown(resources.bins),
      table(jobs),
      shapes(shapes_of_run),
      rows(rows_of_run),
      work(world.engine.completion, world.engine.round_s),
      rates(world, resources.topology, world.partitioning.first_node(resources.id), resources.first_gpu),
      free(resources.topology, resources.bins, placement.needs()),
      running(slot_of, {placement.moves_running(), world.interference.on() || !world.effects.empty()}),
      queue(world.workload.jobs, table, shapes, world.engine.starvation_s),
      tracks_belief(placement.moves_running()) {
  if (world.tenants != nullptr) causes.emplace();
}

}  // namespace palstudy
