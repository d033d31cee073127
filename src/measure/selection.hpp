// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "kernels/kernel.hpp"
#include "measure/options.hpp"
#include "variability/profile/profile.hpp"

namespace palstudy {

/// A kernel as it will be measured.
struct ChosenKernel {
  const KernelEntry* entry;
  ParamValues params;
  ProfileKernel record;
  std::size_t bytes = 0;  ///< of its arrays
};

/// Those named, or all, or those measured by default; sorted by name. `link` and `allreduce` are left out: between GPUs
/// they are measured otherwise (measure/transfers.hpp).
/// Errors (usage): a kernel or parameter that is not there, one that the backend has not, one named twice.
[[nodiscard]] std::vector<ChosenKernel> choose_kernels(const MeasureOptions& options, Backend backend);

}  // namespace palstudy
