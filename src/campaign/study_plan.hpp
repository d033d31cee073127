// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "campaign/cost.hpp"
#include "inputs/inputs.hpp"

namespace palstudy {

/// How the cost of a run is known.
enum class CostFrom {
  formula,   ///< nothing was simulated
  at_least,  ///< one seed of its point was simulated up to a limit; the rest by the share of its jobs that it reached
  ended,     ///< one seed of its point was simulated to its end
};

/// Runs that differ in seeds alone.
struct PlannedPoint {
  std::vector<std::size_t> runs;  ///< of the study, ascending; the first is the one that is simulated
  CostFrom from = CostFrom::formula;
};

/// What `palstudy plan` says of a study.
struct StudyPlan {
  std::vector<PlannedPoint> points;  ///< in the order of their first run
  std::vector<RunWork> work;         ///< by run of the study
  StudyCost cost;
  double seconds = 0;  ///< that the simulations took
  [[nodiscard]] std::size_t points_from(CostFrom from) const;
};

struct PlanOptions {
  double budget_s = 10;  ///< of all simulations together, inputs left out; at 0 nothing is simulated
  std::uint64_t most_boundaries = std::numeric_limits<std::uint64_t>::max();  ///< of one run; the same on every machine
  std::function<void(std::size_t, std::size_t)> told = {};                    ///< how many of how many points are done
};
/// Simulates one seed of each point, as `run` would, and takes the other seeds to be like it, job by job. Each point
/// has an equal share of what is left of the budget, those that seem cheap first; what is cut there is carried on by
/// the jobs that it had reached. Inputs have been checked.
[[nodiscard]] StudyPlan plan_study(const Study& study, Inputs& inputs, const PlanOptions& options = {});

}  // namespace palstudy
