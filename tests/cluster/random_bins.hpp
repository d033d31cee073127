// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/random.hpp"
#include "variability/binning/bins.hpp"

namespace palstudy {

/// Classes of GPUs in bins drawn at random, one class for each entry of `counts`: how many bins it has. No bin is
/// empty.
inline Bins random_bins(std::uint32_t gpus, const std::vector<std::uint32_t>& counts, RandomStream& stream) {
  std::vector<ClassBins> classes;
  for (const std::uint32_t count : counts) {
    ClassBins bins;
    for (std::uint32_t b = 0; b < count; ++b) bins.values.push_back(0.9 + 0.05 * b);
    for (std::uint32_t g = 0; g < gpus; ++g) {
      bins.of_gpu.push_back(static_cast<std::uint16_t>(g < count ? count - 1 - g : stream.below(count)));
      if (std::find(bins.appearance.begin(), bins.appearance.end(), bins.of_gpu[g]) == bins.appearance.end()) {
        bins.appearance.push_back(bins.of_gpu[g]);
      }
    }
    classes.push_back(std::move(bins));
  }
  return Bins(std::move(classes));
}

}  // namespace palstudy
