// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "cluster/free_gpus.hpp"
#include "sim/running_set.hpp"
#include "topology/topology.hpp"

namespace palstudy {

/// For a running job, a lower bound of the believed slowdown x penalty of any set of GPUs that it could move to: from
/// how many GPUs of the class are free up to each bin, in all and on one node, and those that it holds. Most jobs are
/// told by it, at the price of a few comparisons, that there is nothing better.
class LeastProducts {
 public:
  /// `free` must outlive it.
  LeastProducts(const FreeGpus& free, const LocalityPenalty& believed);

  /// The free GPUs have changed.
  void forget();
  [[nodiscard]] double of(ClassId cls, const GpuSet& gpus, std::uint32_t count, const Held& held, FreeGpus& free);

 private:
  struct ClassFree {
    bool known = false;
    std::uint32_t fastest = 0;           ///< bin of the fastest free GPU; number of bins if there is none
    std::vector<std::uint32_t> up_to;    ///< free GPUs of bins 0..b
    std::vector<std::uint32_t> on_node;  ///< the most of them on one node
  };
  void look(ClassId cls, ClassFree& known, FreeGpus& free) const;

  LocalityPenalty penalty_;
  double spread_;  ///< least penalty of more than one node
  std::vector<ClassFree> classes_;
};

}  // namespace palstudy
