// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace palstudy {

/// How many jobs a session submits: one; or a few, each number from `few_from` to `few_to` as likely; or many, where
/// the chance of at least k jobs falls as k to the power of minus `tail` (a discrete Pareto law from `many_from` to
/// `many_to`).
struct BurstStatistics {
  double few = 0, many = 0;                                        ///< chances; the rest is one job
  double few_from = 2, few_to = 9, many_from = 10, many_to = 500;  ///< whole numbers
  double tail = 1;
};

class BurstDistribution {
 public:
  /// Bursts of two jobs and more are `scale` times as large as the numbers say (rounded, two at least).
  BurstDistribution(const BurstStatistics& numbers, double scale) : numbers_(numbers), scale_(scale) {}

  /// The size at uniform `u` in [0, 1).
  [[nodiscard]] std::uint32_t size(double u) const;
  /// Mean size: a sum over all sizes.
  [[nodiscard]] double mean() const;
  /// An upper limit of the size.
  [[nodiscard]] std::uint32_t largest() const;

 private:
  [[nodiscard]] std::uint32_t scaled(double jobs) const;
  /// The chance of at least k jobs, of a session of many.
  [[nodiscard]] double reaches(double k) const;

  BurstStatistics numbers_;
  double scale_;
};

}  // namespace palstudy
