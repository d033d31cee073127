// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "inputs/inputs.hpp"
#include "study/study.hpp"

namespace palstudy {

/// Loads inputs on the other ranks while rank 0 checks a study: those of every `step`-th run from `first` on. With the
/// number of teams as the step this is about the share of runs that each team will get; inputs that are missing later
/// are loaded then.
class InputPrefetch {
 public:
  /// `study` and `inputs` must outlive it.
  InputPrefetch(const Study& study, Inputs& inputs, std::size_t first, std::size_t step);
  /// Loads for some hundredths of a second, or the inputs of one run. Stops for good once inputs cannot be made (rank 0
  /// reports why), or half of the memory that was free at first is in use.
  void load_some();

 private:
  void load_next();

  const Study& study_;
  Inputs& inputs_;
  std::size_t next_, step_;
  double least_free_mib_;  // of memory
};

}  // namespace palstudy
