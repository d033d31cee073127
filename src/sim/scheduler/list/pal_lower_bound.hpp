// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cluster/free_gpus.hpp"
#include "sim/state/running_set.hpp"
#include "topology/topology.hpp"

namespace palstudy {

/// The penalty that `pal` takes for GPUs of more than one node: it ignores cabinets. Never less than the true one.
[[nodiscard]] inline double across_penalty(const LocalityPenalty& believed) {
  return std::max(believed.cabinet, believed.cluster);
}

/// For a running job, the least believed slowdown x penalty that `pal` could offer it if its own GPUs were free as
/// well: from how many GPUs of the class are free up to each bin, in all and on one node, and those that it holds. Most
/// jobs are told by it, at the price of a few comparisons, that there is nothing better. A lower bound, and as long as
/// a wider level does not cost less than a narrower one also the product of what `pal` then chooses.
class PalLowerBound {
 public:
  explicit PalLowerBound(const FreeGpus& free);

  /// A job as far as it matters here.
  struct Wanted {
    ClassId cls;
    std::uint32_t gpus;
    const LocalityPenalty& believed;
  };

  /// The free GPUs have changed.
  void forget();
  /// That of `own_cost` if there is nothing better.
  [[nodiscard]] double least_product(const Wanted& job, const GpuSet& gpus, const BelievedCost& own_cost,
                                     FreeGpus& free);

 private:
  struct ClassFree {
    bool known = false;
    std::uint32_t fastest = 0;           ///< bin of the fastest free GPU; number of bins if there is none
    std::vector<std::uint32_t> up_to;    ///< free GPUs of bins 0..b
    std::vector<std::uint32_t> on_node;  ///< the most of them on one node
  };
  static void count_free(ClassId cls, ClassFree& known, FreeGpus& free);
  [[nodiscard]] static bool fits_own_node(ClassId cls, std::uint32_t bin, const GpuSet& gpus, std::uint32_t count,
                                          FreeGpus& free);

  std::vector<ClassFree> classes_;
};

}  // namespace palstudy
