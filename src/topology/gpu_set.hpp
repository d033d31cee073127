// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "core/ids.hpp"

namespace palstudy {

/// GPUs of one node: bit i is its i-th GPU. A node has at most `max_gpus_per_node`.
using GpuMask = std::uint32_t;
inline constexpr std::uint32_t max_gpus_per_node = 32;

/// The `count` lowest GPUs of `mask`; all of them if it has fewer.
[[nodiscard]] inline GpuMask lowest(GpuMask mask, std::uint32_t count) {
  GpuMask taken = 0;
  for (; count > 0 && mask != 0; --count) {
    const GpuMask bit = mask & (~mask + 1);
    taken |= bit;
    mask ^= bit;
  }
  return taken;
}

/// What a job holds on one node.
struct NodeGpus {
  NodeId node;
  GpuMask mask = 0;
  friend bool operator==(const NodeGpus&, const NodeGpus&) = default;
};

/// A set of GPUs, node by node. Canonical: nodes ascending, each once, no empty mask.
using GpuSet = std::vector<NodeGpus>;

[[nodiscard]] inline std::uint32_t count(const GpuSet& gpus) {
  std::uint32_t sum = 0;
  for (const auto& part : gpus) sum += static_cast<std::uint32_t>(std::popcount(part.mask));
  return sum;
}

/// Sorts by node and joins parts of one node.
void canonicalize(GpuSet& gpus);

}  // namespace palstudy
