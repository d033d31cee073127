// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "sim/state/partition_state.hpp"
#include "topology/gpu_set.hpp"
#include "workload/elastic/elastic_jobs.hpp"

namespace palstudy {

/// Where an elastic job computes on these GPUs of a partition, all of one type. Slow GPUs are left out.
[[nodiscard]] inline ElasticPlace place_of(const PartitionState& state, const GpuSet& gpus, std::uint32_t epoch) {
  const ElasticJobs& jobs = *state.world.elastic;
  const NodeId first = state.world.partitioning.first_node(state.resources.id);
  return {{count(gpus), static_cast<std::uint32_t>(gpus.size())},
          jobs.type(NodeId(first.value + gpus.begin()->node.value)),
          epoch,
          {}};
}

}  // namespace palstudy
