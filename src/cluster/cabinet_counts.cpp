// SPDX-License-Identifier: MIT
#include "cluster/cabinet_counts.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace palstudy {

CabinetCounts::CabinetCounts(std::uint32_t cabinets, std::uint32_t bins, std::uint32_t gpus_of_largest)
    : bins_(bins), wide_(gpus_of_largest > UINT16_MAX), blocks_((cabinets + block_size - 1) / block_size) {
  counts_.resize(std::size_t{blocks_} * bins * block_size / (wide_ ? 2 : 4));
  most_.resize(std::size_t{blocks_} * bins);
  stale_.resize((blocks_ + 63) / 64);
}

void CabinetCounts::add(std::uint32_t cabinet, std::uint32_t bin, std::uint32_t delta) {
  const std::uint32_t block = cabinet / block_size;
  const std::size_t at = (std::size_t{block} * bins_ + bin) * block_size + cabinet % block_size;
  auto* bytes = reinterpret_cast<unsigned char*>(counts_.data());
  if (wide_) {
    std::uint32_t count;
    std::memcpy(&count, bytes + 4 * at, 4);
    count += delta;
    std::memcpy(bytes + 4 * at, &count, 4);
  } else {
    std::uint16_t count;
    std::memcpy(&count, bytes + 2 * at, 2);
    count = static_cast<std::uint16_t>(count + delta);
    std::memcpy(bytes + 2 * at, &count, 2);
  }
  stale_[block / 64] |= std::uint64_t{1} << (block % 64);
}

/// Adds the counts of one bin to `sums`, cabinet by cabinet of the block.
void CabinetCounts::add_row(std::uint32_t block, std::uint32_t bin, Sums& sums) const {
  const std::size_t at = (std::size_t{block} * bins_ + bin) * block_size;
  const auto* bytes = reinterpret_cast<const unsigned char*>(counts_.data());
  if (wide_) {
    std::uint32_t row[block_size];
    std::memcpy(row, bytes + 4 * at, sizeof row);
    for (std::uint32_t i = 0; i < block_size; ++i) sums[i] += row[i];
  } else {
    std::uint16_t row[block_size];
    std::memcpy(row, bytes + 2 * at, sizeof row);
    for (std::uint32_t i = 0; i < block_size; ++i) sums[i] += row[i];
  }
}

void CabinetCounts::refresh() {
  for (std::size_t word = 0; word < stale_.size(); ++word) {
    for (; stale_[word] != 0; stale_[word] &= stale_[word] - 1) {
      const auto block =
          static_cast<std::uint32_t>(word * 64) + static_cast<std::uint32_t>(std::countr_zero(stale_[word]));
      Sums sums = {};
      for (std::uint32_t bin = 0; bin < bins_; ++bin) {
        add_row(block, bin, sums);
        most_[std::size_t{bin} * blocks_ + block] = *std::max_element(sums, sums + block_size);
      }
    }
  }
}

CabinetCounts::Freest CabinetCounts::freest(std::uint32_t bin) {
  refresh();
  const std::uint32_t* most = most_.data() + std::size_t{bin} * blocks_;
  std::uint32_t best = 0;
  for (std::uint32_t block = 0; block < blocks_; ++block) best = std::max(best, most[block]);
  const auto block = static_cast<std::uint32_t>(std::find(most, most + blocks_, best) - most);
  Sums sums = {};
  for (std::uint32_t b = 0; b <= bin; ++b) add_row(block, b, sums);
  const auto place = static_cast<std::uint32_t>(std::find(sums, sums + block_size, best) - sums);
  return {block * block_size + place, best};
}

}  // namespace palstudy
