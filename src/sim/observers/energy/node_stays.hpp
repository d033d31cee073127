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

  /// Makes room for about so many stays.
  void reserve(std::size_t stays) {
    slabs_.resize(1);
    slabs_.front().reserve(std::min<std::size_t>(nodes_.size() + stays / stays_of_block, slab_size));
  }
  void add(NodeId id, const Stay& stay) {
    Node& node = nodes_[id.index()];
    const std::uint32_t place = node.count++ % stays_of_block;
    if (place == 0) append_block(node);
    block(node.last).stays[place] = stay;
  }
  [[nodiscard]] std::size_t count(NodeId id) const { return nodes_[id.index()].count; }
  /// Prefetches the stays on a node.
  void fetch(NodeId id) const {
    const Node& node = nodes_[id.index()];
    std::uint32_t at = node.first;
    for (std::uint32_t left = node.count; left > 0; left -= std::min(left, stays_of_block), at = next_[at]) {
      const auto* const bytes = reinterpret_cast<const std::byte*>(&block(at));
      for (std::size_t line = 0; line < sizeof(Block); line += alignof(Block)) prefetch(bytes[line]);
    }
  }
  /// Calls `use(stay)` for each stay on a node.
  template <class Use>
  void for_each(NodeId id, Use use) const {
    const Node& node = nodes_[id.index()];
    std::uint32_t at = node.first;
    for (std::uint32_t left = node.count; left > 0;) {
      const Block& here = block(at);
      at = next_[at];
      const std::uint32_t count = std::min(left, stays_of_block);
      for (std::uint32_t i = 0; i < count; ++i) use(here.stays[i]);
      left -= count;
    }
  }
  void serialize(Fields& f);

 private:
  static constexpr std::uint32_t stays_of_block = 6, slab_size = 1 << 14;  // slab_size: in blocks
  struct alignas(64) Block {
    std::array<Stay, stays_of_block> stays;
  };
  struct Node {
    std::uint32_t count = 0, first = 0, last = 0;  // of blocks, where there are stays
  };

  [[nodiscard]] Block& block(std::uint32_t at) { return slabs_[at / slab_size][at % slab_size]; }
  [[nodiscard]] const Block& block(std::uint32_t at) const { return slabs_[at / slab_size][at % slab_size]; }
  void append_block(Node& node) {
    if (slabs_.empty() || slabs_.back().size() == slab_size) slabs_.emplace_back().reserve(slab_size);
    slabs_.back().emplace_back();
    const auto added = static_cast<std::uint32_t>(next_.size());
    next_.push_back(added);
    node.count == 1 ? node.first = added : next_[node.last] = added;
    node.last = added;
  }

  std::vector<Node> nodes_;
  std::vector<LargeArray<Block>> slabs_;  // all but the last full: where jobs move all the time they hold gigabytes,
                                          // which are not copied to grow
  std::vector<std::uint32_t> next_;       // by block: that which follows it on the node
};

}  // namespace palstudy
