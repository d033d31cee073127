// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/advice.hpp"
#include "inputs/inputs.hpp"

namespace palstudy {

/// What policies believe of each GPU: the truth under knowledge "oracle", else the value of its bin.
[[nodiscard]] double believed_slowdown(const Inputs::Loaded& loaded, bool truth, ClassId cls, GpuId gpu);

/// All nodes, the slowest first, and the weights that prefer fast ones: 1, and 1 more for every 5 % by which a node is
/// slower than the median node. `names` by node; empty where they are not known.
[[nodiscard]] std::vector<RankedNode> ranked_nodes(const Inputs::Loaded& loaded, bool truth,
                                                   const std::vector<SiteNode>& names);

/// A cluster without one of its GPUs.
struct WithoutGpu {
  Topology topology;
  Slowdowns truth;
};
/// Errors (fault): the node has no other.
[[nodiscard]] WithoutGpu without_gpu(const Inputs::Loaded& loaded, GpuId gpu, std::uint32_t nodes_per_cabinet);

/// The slowest GPU of a node for a class.
[[nodiscard]] GpuId slowest_gpu(const Inputs::Loaded& loaded, const RankedNode& node);

}  // namespace palstudy
