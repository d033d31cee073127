// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace palstudy {

/// The earliest of many times that change often: one a slot, in blocks of 16 with a cached minimum each. A heap would
/// pay log n for every job that a non-sticky policy moves; here a change costs a flag.
class Completions {
 public:
  void push_back(double time_s) {
    times_.push_back(time_s);
    if ((times_.size() - 1) / block_size == earliest_in_block_.size()) {
      earliest_in_block_.push_back(0);
      dirty_.resize(earliest_in_block_.size());
    }
    touch(times_.size() - 1);
  }
  void set(std::size_t slot, double time_s) {
    times_[slot] = time_s;
    touch(slot);
  }
  void pop_back() {
    touch(times_.size() - 1);
    times_.pop_back();
    if (times_.size() % block_size == 0) earliest_in_block_.pop_back();
  }
  /// Slot i gets what slot from[i] has; `from` names every slot once.
  void rearrange(const std::vector<std::uint32_t>& from) {
    const std::vector<double> before = times_;
    for (std::size_t slot = 0; slot < from.size(); ++slot) set(slot, before[from[slot]]);
  }
  [[nodiscard]] double at(std::size_t slot) const { return times_[slot]; }
  [[nodiscard]] std::size_t size() const { return times_.size(); }

  /// Infinity if there is none.
  [[nodiscard]] double earliest() {
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t block = 0; block < earliest_in_block_.size(); ++block) best = std::min(best, earliest_in(block));
    return best;
  }
  /// Appends the slots whose time is at or before `time_s`.
  void due(double time_s, std::vector<std::uint32_t>& out) {
    for (std::size_t block = 0; block < earliest_in_block_.size(); ++block) {
      if (earliest_in(block) > time_s) continue;
      for (std::size_t slot = block * block_size, end = end_of(block); slot < end; ++slot) {
        if (times_[slot] <= time_s) out.push_back(static_cast<std::uint32_t>(slot));
      }
    }
  }

 private:
  static constexpr std::size_t block_size = 16;
  void touch(std::size_t slot) { dirty_[slot / block_size] = 1; }
  [[nodiscard]] std::size_t end_of(std::size_t block) const {
    return std::min(times_.size(), (block + 1) * block_size);
  }
  double earliest_in(std::size_t block) {
    if (dirty_[block] != 0) {
      earliest_in_block_[block] = earliest_in_slots(block * block_size, end_of(block));
      dirty_[block] = 0;
    }
    return earliest_in_block_[block];
  }
  /// Four at a time, since each minimum waits for the one before: of a large machine's jobs nearly every block changes
  /// at every boundary.
  [[nodiscard]] double earliest_in_slots(std::size_t slot, std::size_t end) const {
    std::array<double, 4> best;
    best.fill(std::numeric_limits<double>::infinity());
    for (; slot + 4 <= end; slot += 4) {
      for (std::size_t i = 0; i < 4; ++i) best[i] = std::min(best[i], times_[slot + i]);
    }
    for (; slot < end; ++slot) best[0] = std::min(best[0], times_[slot]);
    return std::min(std::min(best[0], best[1]), std::min(best[2], best[3]));
  }
  std::vector<double> times_;
  std::vector<double> earliest_in_block_;
  std::vector<std::uint8_t> dirty_;
};

}  // namespace palstudy
