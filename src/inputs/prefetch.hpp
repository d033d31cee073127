// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "inputs/inputs.hpp"
#include "study/study.hpp"

namespace palstudy {

/// What the other ranks do while rank 0 checks a study: each makes the inputs of every `step`-th run from `first` on,
/// with as many steps as there are teams, since about so many it will get. Which they are is decided later, and what is
/// missing then is made then.
class InputsAhead {
 public:
  /// `study` and `inputs` must outlive it.
  InputsAhead(const Study& study, Inputs& inputs, std::size_t first, std::size_t step);
  /// Goes on with it for some hundredths of a second, or for one run's inputs; nothing more once inputs cannot be made
  /// (rank 0 will say why) or half of the memory is taken that was free at first.
  void load_some();

 private:
  void load_next();

  const Study& study_;
  Inputs& inputs_;
  std::size_t next_, step_;
  double least_free_mib_;  // of memory
};

}  // namespace palstudy
