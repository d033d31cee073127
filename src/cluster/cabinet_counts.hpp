// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace palstudy {

/// How many free GPUs of each bin the cabinets have, and which has the most of bins 0..b. A change costs one addition;
/// the maxima of blocks of cabinets are made again at the next query, of those blocks that have changed. A question
/// then looks at one number a block. Counts are of 16 bits where no cabinet has more GPUs than these hold: with a copy
/// kept, 16 nodes of 8 GPUs a cabinet and 8 bins they are a quarter of a byte a GPU and class.
class CabinetCounts {
 public:
  CabinetCounts(std::uint32_t cabinets, std::uint32_t bins, std::uint32_t gpus_of_largest);

  /// `delta` more (or, modulo 2^32, fewer) free GPUs of a bin.
  void add(std::uint32_t cabinet, std::uint32_t bin, std::uint32_t delta);

  struct Freest {
    std::uint32_t cabinet;
    std::uint32_t gpus;
  };
  /// The cabinet with the most of bins 0..bin; ties: lowest.
  [[nodiscard]] Freest freest(std::uint32_t bin);

  [[nodiscard]] std::size_t bytes() const { return 8 * (counts_.size() + stale_.size()) + 4 * most_.size(); }

 private:
  static constexpr std::uint32_t block_size = 16;
  using Sums = std::uint32_t[block_size];
  void add_row(std::uint32_t block, std::uint32_t bin, Sums& sums) const;
  void refresh();

  std::uint32_t bins_;
  bool wide_;                          // counts of 32 bits
  std::vector<std::uint64_t> counts_;  // [block][bin][cabinet of the block]
  std::uint32_t blocks_;
  std::vector<std::uint32_t> most_;   // [bin][block], of bins 0..bin
  std::vector<std::uint64_t> stale_;  // bit: the block has changed since its `most_` were made
};

}  // namespace palstudy
