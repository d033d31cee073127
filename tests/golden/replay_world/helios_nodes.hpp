// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <bit>
#include <memory>
#include <string>

#include "policy/placement_policy.hpp"
#include "policy/view.hpp"

namespace palstudy::replay {

inline std::string nodes_of(GpuSet gpus) {
  canonicalize(gpus);
  std::string text;
  for (const NodeGpus& part : gpus) {
    text += fmt::format("{}{}:{}", text.empty() ? "" : ";", part.node.value, std::popcount(part.mask));
  }
  return text;
}

/// The nodes of a VC, all GPUs alike, with the consolidating placement.
struct Nodes {
  Nodes(std::uint32_t count, std::uint32_t gpus_per_node)
      : topology(std::vector<NodeGroup>{{count, gpus_per_node}}, count),
        bins(Slowdowns::flat({"A"}, topology.gpus()), BinRule{1, false}),
        expected(bins),
        placement(placements().at("consolidate").make({topology, bins, LocalityPenalty{}, 1}, {})),
        free(topology, bins, placement->needs()) {}

  bool start(JobId job, std::uint32_t gpus, double now_s, GpuSet& held) {
    GpuSet chosen;
    if (!placement->choose({job, ClassId(0), gpus, now_s}, free, chosen)) return false;
    for (const NodeGpus& part : chosen) free.take(part);
    held = chosen;
    return true;
  }
  void end(const GpuSet& held) {
    for (const NodeGpus& part : held) free.give(part);
  }

  Topology topology;
  Bins bins;
  ExpectedSlowdowns expected;
  Penalties penalty{LocalityPenalty{}};
  std::unique_ptr<PlacementPolicy> placement;
  FreeGpus free;
};

}  // namespace palstudy::replay
