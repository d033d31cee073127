// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/ids.hpp"
#include "core/large_array.hpp"
#include "sim/state/fields.hpp"

namespace palstudy {

/// GPUs of one node that a job computed on at one rate, within the horizon of energy.
struct Stay {
  double begin_s, end_s;
  double gpu_j;   ///< J that they drew
  double work_s;  ///< GPU-seconds at slowdown 1 and penalty 1
  JobId job;
  std::uint16_t gpus, cls;
};

/// The stays on each node of a partition, in the order in which they are added. Those of a node lie in blocks of a few
/// lines of the cache: stays are added to nodes in no order, and hundreds of thousands are read node by node.
class NodeStays {
 public:
  explicit NodeStays(std::size_t nodes) : nodes_(nodes) {}

  void reserve(std::size_t stays) { blocks_.reserve(nodes_.size() + stays / stays_of_block); }
  void add(NodeId id, const Stay& stay) {
    Node& node = nodes_[id.index()];
    const std::uint32_t place = node.count++ % stays_of_block;
    if (place == 0) append_block(node);
    blocks_[node.last].stays[place] = stay;
  }
  [[nodiscard]] std::size_t count(NodeId id) const { return nodes_[id.index()].count; }
  /// Calls `use(stay)` for each stay on a node.
  template <class Use>
  void for_each(NodeId id, Use use) const {
    const Node& node = nodes_[id.index()];
    std::uint32_t at = node.first;
    for (std::uint32_t left = node.count; left > 0;) {
      const Block& block = blocks_[at];
      at = block.next;
      const std::uint32_t here = std::min(left, stays_of_block);
      for (std::uint32_t i = 0; i < here; ++i) use(block.stays[i]);
      left -= here;
    }
  }
  void serialize(Fields& f);

 private:
  static constexpr std::uint32_t stays_of_block = 6;
  struct alignas(64) Block {
    std::array<Stay, stays_of_block> stays;
    std::uint32_t next;  // of the same node
  };
  struct Node {
    std::uint32_t count = 0, first = 0, last = 0;  // of blocks, where there are stays
  };

  void append_block(Node& node) {
    const auto block = static_cast<std::uint32_t>(blocks_.size());
    blocks_.emplace_back();
    node.count == 1 ? node.first = block : blocks_[node.last].next = block;
    node.last = block;
  }

  std::vector<Node> nodes_;
  LargeArray<Block> blocks_;
};

}  // namespace palstudy
