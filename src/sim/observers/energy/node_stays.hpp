// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/ids.hpp"
#include "sim/state/fields.hpp"

namespace palstudy {

/// GPUs of one node that a job computed on at one rate, within the horizon of energy.
struct Stay {
  double begin_s, end_s;
  double gpu_j;  ///< J that they drew
  NodeId node;
  JobId job;
  std::uint16_t gpus, cls;
  std::uint32_t unused = 0;  ///< no byte of a stay is padding, since checkpoints hold them as they lie in memory
};

/// Stays in the order in which they are added, which is that of no node, and then node by node.
class NodeStays {
 public:
  explicit NodeStays(std::size_t nodes) : ends_(nodes) {}

  void reserve(std::size_t stays) { stays_.reserve(stays); }
  void add(const Stay& stay) { stays_.push_back(stay); }
  [[nodiscard]] std::size_t size() const { return stays_.size(); }
  /// Sorts the stays by node, for `of`.
  void sort();
  /// The stays on a node in the order in which they were added.
  [[nodiscard]] std::span<const Stay> of(NodeId node) const {
    const std::uint32_t begin = node.index() == 0 ? 0 : ends_[node.index() - 1];
    return std::span(sorted_).subspan(begin, ends_[node.index()] - begin);
  }
  /// Forgets all stays; their memory is used again.
  void clear() { stays_.clear(); }
  void serialize(Fields& f) { f(stays_); }

 private:
  std::vector<Stay> stays_, sorted_;
  std::vector<std::uint32_t> ends_;  // in sorted_, by node
};

}  // namespace palstudy
