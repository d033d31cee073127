// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "study/estimate.hpp"
#include "study/study.hpp"

namespace palstudy {

/// Where the estimate of a run is from.
enum class EstimateFrom {
  computed,   ///< a formula over its jobs, GPUs and policies
  scaled,     ///< that formula, and by how much it was wrong for the nearest run that was rehearsed
  begun,      ///< a rehearsal that was cut, carried on
  rehearsed,  ///< the run itself, or one that differs in seeds alone, simulated in memory
};
[[nodiscard]] std::string_view name_of(EstimateFrom from);

/// What `palstudy plan` says of a study.
struct StudyPlan {
  StudyEstimate needs;
  DiskEstimate disk;
  struct Source {
    EstimateFrom from = EstimateFrom::computed;
    std::optional<std::size_t> like;  ///< the run of the study that was rehearsed for it
  };
  std::vector<Source> sources;  ///< by run of the study
  std::size_t rehearsed = 0;    ///< runs that were simulated, those that were cut included
  double seconds = 0;           ///< that this took
};
struct PlanOptions {
  bool quick = false;                                       ///< nothing is rehearsed
  std::function<void(std::size_t, std::size_t)> told = {};  ///< how many of how many rehearsals are done
};
/// All but seconds is the same on every machine. Inputs have been checked.
[[nodiscard]] StudyPlan plan_study(const Study& study, Inputs& inputs, const PlanOptions& options = {});

}  // namespace palstudy
