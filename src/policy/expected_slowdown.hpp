// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "core/ids.hpp"
#include "variability/binning/bins.hpp"

namespace palstudy {

/// The believed slowdown that a job can expect of a partition before it is placed.
class ExpectedSlowdowns {
 public:
  explicit ExpectedSlowdowns(const Bins& bins);

  /// The mean of the slowest of `gpus` GPUs of the partition, drawn with replacement.
  [[nodiscard]] double slowest(ClassId cls, std::uint32_t gpus) const;

 private:
  struct Bin {
    double value, share_up_to;  ///< of the GPUs, in this bin or a faster one
  };
  std::vector<std::vector<Bin>> bins_;  // by class
};

}  // namespace palstudy
