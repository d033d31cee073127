// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "topology/gpu_set.hpp"

namespace palstudy {

/// One mask a node, in one byte each where no node has more than 8 GPUs, else in four: the bytes decide how much of a
/// large cluster stays in the cache.
class NodeMasks {
 public:
  NodeMasks(std::uint32_t nodes, std::uint32_t widest_node)
      : nodes_(nodes), wide_(widest_node > 8), words_((nodes * (wide_ ? 4u : 1u) + 7) / 8) {}

  [[nodiscard]] GpuMask get(std::uint32_t node) const {
    const auto* bytes = reinterpret_cast<const unsigned char*>(words_.data());
    if (!wide_) return bytes[node];
    GpuMask mask;
    std::memcpy(&mask, bytes + 4 * std::size_t{node}, 4);
    return mask;
  }
  void set(std::uint32_t node, GpuMask mask) {
    auto* bytes = reinterpret_cast<unsigned char*>(words_.data());
    if (!wide_) {
      bytes[node] = static_cast<unsigned char>(mask);
    } else {
      std::memcpy(bytes + 4 * std::size_t{node}, &mask, 4);
    }
  }
  [[nodiscard]] std::size_t bytes() const { return 8 * words_.size(); }
  /// Calls `visit(node)` for the nodes whose masks differ from those of `other`, which has the same shape; ascending.
  /// `visit` may set that node in either.
  template <class Visit>
  void for_differing(const NodeMasks& other, Visit visit) const {
    const std::uint32_t per_word = wide_ ? 2 : 8;
    for (std::size_t w = 0; w < words_.size(); ++w) {
      if (words_[w] == other.words_[w]) continue;
      const auto first = static_cast<std::uint32_t>(w * per_word);
      for (std::uint32_t node = first; node < first + per_word && node < nodes_; ++node) {
        if (get(node) != other.get(node)) visit(node);
      }
    }
  }

 private:
  std::uint32_t nodes_;
  bool wide_;
  std::vector<std::uint64_t> words_;
};

}  // namespace palstudy
