// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/ids.hpp"

namespace palstudy {

/// A set of the nodes of a partition, one bit a node. Sets that are combined are of one size.
class NodeSet {
 public:
  NodeSet() = default;
  /// None of so many nodes.
  explicit NodeSet(std::uint32_t nodes) : words_((std::size_t{nodes} + 63) / 64, 0) {}
  /// All of so many nodes.
  [[nodiscard]] static NodeSet all(std::uint32_t nodes) {
    NodeSet set(nodes);
    for (std::uint32_t n = 0; n < nodes; ++n) set.insert(NodeId(n));
    return set;
  }

  [[nodiscard]] bool contains(NodeId node) const { return (words_[node.index() / 64] >> (node.index() % 64) & 1) != 0; }
  void insert(NodeId node) { words_[node.index() / 64] |= std::uint64_t{1} << (node.index() % 64); }
  void erase(NodeId node) { words_[node.index() / 64] &= ~(std::uint64_t{1} << (node.index() % 64)); }

  /// Whether every node of `other` is in this set.
  [[nodiscard]] bool includes(const NodeSet& other) const {
    std::uint64_t missing = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) missing |= other.words_[i] & ~words_[i];
    return missing == 0;
  }
  NodeSet& operator&=(const NodeSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
    return *this;
  }
  NodeSet& operator|=(const NodeSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
    return *this;
  }
  /// Takes the nodes of `other` out.
  NodeSet& operator-=(const NodeSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= ~other.words_[i];
    return *this;
  }
  friend bool operator==(const NodeSet&, const NodeSet&) = default;

  /// `use(node)` for each node, ascending.
  template <class Use>
  void for_each(Use use) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      for (std::uint64_t rest = words_[i]; rest != 0; rest &= rest - 1) {
        use(NodeId(static_cast<std::uint32_t>(64 * i) + static_cast<std::uint32_t>(std::countr_zero(rest))));
      }
    }
  }
  /// `use(node)` for each node that is in one of two sets and not in the other, ascending.
  template <class Use>
  static void for_each_difference(const NodeSet& a, const NodeSet& b, Use use) {
    for (std::size_t i = 0; i < a.words_.size(); ++i) {
      for (std::uint64_t rest = a.words_[i] ^ b.words_[i]; rest != 0; rest &= rest - 1) {
        use(NodeId(static_cast<std::uint32_t>(64 * i) + static_cast<std::uint32_t>(std::countr_zero(rest))));
      }
    }
  }

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace palstudy
