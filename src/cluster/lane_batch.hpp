// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "cluster/byte_lanes.hpp"

namespace palstudy {

/// Nodes whose free masks changed, and what that means for the trees of eight bins: one array a quantity, so that the
/// arithmetic runs on as many nodes at once as the processor has room for.
struct LaneBatch {
  static constexpr std::size_t capacity = 64;
  using Array = Lanes[capacity];

  std::size_t size = 0;
  std::uint32_t node[capacity];
  std::uint32_t mask_before[capacity];
  std::uint32_t mask_after[capacity];
  // Of the eight bins at hand:
  alignas(64) Array row;        ///< one byte of the mask: which GPUs are of which bin
  alignas(64) Array before[2];  ///< lane b: GPUs of bin b; of bins 0..b, but at least 1
  alignas(64) Array after[2];
  alignas(64) Array below_before;  ///< GPUs of all bins of the words before, in every lane
  alignas(64) Array below_after;
  alignas(64) Array changed;  ///< bit b: lane b of [0] differs; bit 8 + b: lane b of [1]
  alignas(64) Array changes;  ///< number of bits of `changed`

  void clear_counts();
  /// Adds the GPUs of `row`, which is of byte `byte` of the masks, to `before[0]` and `after[0]`.
  void add_row(std::uint32_t byte);
  /// Makes the rest from `before[0]` and `after[0]`; changes count in `up_lanes` of [1] only.
  void finish(Lanes up_lanes);
};

}  // namespace palstudy
