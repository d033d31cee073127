// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "cluster/node_set.hpp"
#include "policy/placement_policy.hpp"

namespace palstudy {

/// After how many ends of running jobs nodes have so many GPUs free.
class NodeSupply {
 public:
  void clear(std::uint32_t widest) {
    nodes_.resize(widest + std::size_t{1});
    for (auto& nodes : nodes_) nodes.clear();
  }
  /// A node has `to` free GPUs instead of `from` after so many ends, which do not descend from call to call.
  void add(NodeId node, std::uint32_t from, std::uint32_t to, std::size_t ends) {
    for (std::uint32_t gpus = from + 1; gpus <= to; ++gpus) nodes_[gpus].emplace_back(ends, node);
  }
  /// Of the nodes of a set; more than `most` if it takes more, or if they can never serve it.
  [[nodiscard]] std::size_t ends_needed(NodeDemand demand, const NodeSet& of, std::size_t most) const {
    std::uint32_t left = demand.nodes;
    for (const auto& [ends, node] : nodes_.at(demand.of_each)) {
      if (ends > most) break;
      if (of.contains(node) && --left == 0) return ends;
    }
    return most + 1;
  }

 private:
  std::vector<std::vector<std::pair<std::size_t, NodeId>>> nodes_;  // by free GPUs, ascending
};

}  // namespace palstudy
