// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <utility>

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
///
/// A vector of what is on each node, with room for two nodes in itself: nearly all jobs are on one, and a large machine
/// compares and moves thousands of sets at every boundary, so that the way to memory elsewhere would be most of the
/// cost. Wider sets lie elsewhere, and that memory stays with the set for the next wide one.
class alignas(32) GpuSet {
 public:
  using value_type = NodeGpus;
  using iterator = NodeGpus*;
  using const_iterator = const NodeGpus*;

  GpuSet() = default;
  GpuSet(std::initializer_list<NodeGpus> parts) : GpuSet(parts.begin(), parts.end()) {}
  GpuSet(const NodeGpus* first, const NodeGpus* last) { assign(first, last); }
  GpuSet(const GpuSet& other) : GpuSet(other.begin(), other.end()) {}
  GpuSet(GpuSet&& other) noexcept { swap(other); }
  GpuSet& operator=(const GpuSet& other) {
    if (this != &other) assign(other.begin(), other.end());
    return *this;
  }
  GpuSet& operator=(GpuSet&& other) noexcept {
    swap(other);
    return *this;
  }
  ~GpuSet() = default;
  void swap(GpuSet& other) noexcept {
    std::swap(near_, other.near_);
    std::swap(far_, other.far_);
    std::swap(size_, other.size_);
    std::swap(room_, other.room_);
  }
  friend void swap(GpuSet& a, GpuSet& b) noexcept { a.swap(b); }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] NodeGpus* data() { return size_ <= near_size ? near_.data() : far_.get(); }
  [[nodiscard]] const NodeGpus* data() const { return size_ <= near_size ? near_.data() : far_.get(); }
  [[nodiscard]] NodeGpus* begin() { return data(); }
  [[nodiscard]] NodeGpus* end() { return data() + size_; }
  [[nodiscard]] const NodeGpus* begin() const { return data(); }
  [[nodiscard]] const NodeGpus* end() const { return data() + size_; }
  [[nodiscard]] NodeGpus& operator[](std::size_t i) { return data()[i]; }
  [[nodiscard]] const NodeGpus& operator[](std::size_t i) const { return data()[i]; }
  [[nodiscard]] NodeGpus& front() { return *begin(); }
  [[nodiscard]] const NodeGpus& front() const { return *begin(); }
  [[nodiscard]] NodeGpus& back() { return end()[-1]; }
  [[nodiscard]] const NodeGpus& back() const { return end()[-1]; }

  void clear() { size_ = 0; }
  void push_back(NodeGpus part) {
    if (size_ < near_size) {
      near_[size_++] = part;
      return;
    }
    const std::uint32_t at = size_;
    resize(at + std::size_t{1});
    data()[at] = part;
  }
  /// New parts are empty.
  void resize(std::size_t size);
  /// `first` to `last` must not lie in this set.
  void assign(const NodeGpus* first, const NodeGpus* last) {
    resize(static_cast<std::size_t>(last - first));
    std::copy(first, last, data());
  }

  friend bool operator==(const GpuSet& a, const GpuSet& b) {
    return a.size_ == b.size_ && std::equal(a.begin(), a.end(), b.begin());
  }

 private:
  static constexpr std::uint32_t near_size = 2;
  std::array<NodeGpus, near_size> near_{};  // all of it while it has so few parts
  std::unique_ptr<NodeGpus[]> far_;         // else all of it
  std::uint32_t size_ = 0;
  std::uint32_t room_ = 0;  // of far_
};

[[nodiscard]] inline std::uint32_t count(const GpuSet& gpus) {
  std::uint32_t sum = 0;
  for (const auto& part : gpus) sum += static_cast<std::uint32_t>(std::popcount(part.mask));
  return sum;
}

/// Sorts by node and joins parts of one node.
void canonicalize(GpuSet& gpus);

}  // namespace palstudy
