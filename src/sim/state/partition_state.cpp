// SPDX-License-Identifier: MIT
#include "sim/state/partition_state.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "sim/state/effect.hpp"

namespace palstudy {

PartitionState::PartitionState(const World& world_of_run, PartitionResources own, const PlacementPolicy& placement,
                               JobTable& jobs, std::vector<std::uint32_t>& slot_of, JobSizes& sizes_of_run,
                               RunRows& rows_of_run)
    : world(world_of_run),
      resources(std::move(own)),
      effects(traits_of_effects(world)),
      expected_slowdown(resources.bins),
      table(jobs, resources.id),
      sizes(sizes_of_run),
      rows(rows_of_run),
      work(world.engine.completion, world.engine.round_s),
      rates(world, resources.topology, resources.first_gpu),
      free(resources.topology, resources.bins, placement.needs()),
      running(slot_of, {placement.moves_running(), effects.stalling > 0}),
      queue(world.workload.jobs, table, sizes, world.engine.starvation_s),
      tracks_belief(placement.moves_running()) {
  if (world.tenants != nullptr) causes.emplace();
}

void PartitionState::append_cluster_ids(const GpuSet& gpus, std::vector<std::uint32_t>& ids) const {
  for_each_gpu(topology(), gpus, [&](std::uint32_t gpu) { ids.push_back(resources.first_gpu.value + gpu); });
}

void PartitionState::add_tenant_use(std::span<std::int64_t> used) const {
  for (const JobId id : running.job) used[job(id).tenant] += width(id);
  for (const HeldPart& part : idle_parts) used[job(part.job).tenant] += count(part.gpus);
}

BelievedCost PartitionState::believed_cost(JobId id, const GpuSet& gpus) const {
  const ClassBins& bins = free.bins().of(job(id).cls);
  const Topology& nodes = free.topology();
  BelievedCost cost;
  for (const NodeGpus& part : gpus) {
    std::uint32_t on_node = 0;
    for (GpuMask rest = part.mask; rest != 0; rest &= rest - 1, ++on_node) {
      const std::size_t gpu = nodes.first_gpu(part.node).index() + static_cast<std::size_t>(std::countr_zero(rest));
      const std::uint32_t bin = bins.of_gpu[gpu];
      if (bin > cost.slowest_bin) cost.in_slowest = 0;
      cost.slowest_bin = std::max(cost.slowest_bin, bin);
      cost.in_slowest += bin == cost.slowest_bin ? 1 : 0;
    }
    cost.most_on_a_node = std::max(cost.most_on_a_node, on_node);
  }
  cost.product = world.believed_penalty.of(id).at(nodes.level(gpus)) * bins.values[cost.slowest_bin];
  return cost;
}

}  // namespace palstudy
