// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/numbers.hpp"

namespace palstudy {

struct RunPlan;
struct Study;
struct Workload;

/// What runs with one workload on clusters of one size measure.
struct MeasuredSet {
  const RunPlan* run = nullptr;  ///< the first of them
  std::size_t measured = 0;      ///< jobs; of these and of `total` 0 where only the study is at hand
  std::size_t total = 0;         ///< jobs that there are
  double offered_load = nan;     ///< work over capacity while measured jobs arrive; NaN where all arrive at once
  bool from_first = false;       ///< the measured jobs begin with the first one, so that no steady state is claimed
};

/// Counts the jobs and their load.
[[nodiscard]] MeasuredSet measured_set(const RunPlan& run, const Workload& workload, double gpus);

/// Those of the first so many runs of a study.
[[nodiscard]] std::vector<MeasuredSet> sets_of(const std::vector<MeasuredSet>& sets, std::size_t runs);

/// "measured: all 4,985 jobs of the trace": in one line what a study measures, the same wherever it is said.
[[nodiscard]] std::string measured_line(const std::vector<MeasuredSet>& sets);
/// The same without numbers of jobs, where nothing but the study is at hand.
[[nodiscard]] std::string measured_line(const Study& study);

/// "offered load: 0.71", or the least and the most of several workloads, and which of those that are measured from
/// their first job on are overloaded by it alone. "" where no load is known.
[[nodiscard]] std::string load_line(const std::vector<MeasuredSet>& sets);

}  // namespace palstudy
