// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "study/study.hpp"

namespace palstudy {

/// Where a study of one run finds its files.
struct MovedFiles {
  std::string trace;                         ///< its jobs, as a native trace
  std::map<std::string, std::string> paths;  ///< of other inputs, by their paths in the study that the run is of
};

/// A study of one run of a study, alone: every key that the run depends on, at its point of the axes, seeds included.
/// Its jobs are those of a native trace, so that no key is left that makes jobs or estimates.
[[nodiscard]] std::string study_of_run(const Study& study, std::int64_t run, const MovedFiles& files);

}  // namespace palstudy
