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

/// The measured jobs of the runs with one workload on clusters of one size.
struct MeasuredSet {
  const RunPlan* run = nullptr;  ///< the first of these runs
  std::size_t measured = 0;      ///< number of jobs; this and `total` are 0 where the jobs are not loaded
  std::size_t total = 0;         ///< number of all jobs
  double offered_load = nan;     ///< work over capacity while measured jobs arrive; NaN where all arrive at once
  double whole_load = nan;       ///< the same over the whole trace; NaN where all of it is measured or it has no end
  double busiest_load = nan;     ///< the largest over any stretch as long as that of the measured jobs; NaN likewise
  bool from_first = false;       ///< the measured jobs begin with the first one, so that no steady state is claimed
  double gpus = 0;               ///< of the cluster
  double quiet_load = nan;       ///< with a quiet beginning or end, which offered_load leaves out; NaN without one
};

/// Counts the jobs and their load.
[[nodiscard]] MeasuredSet measured_set(const RunPlan& run, const Workload& workload, double gpus);

/// Why the times of a set's trace may be in another unit than seconds, "" if they seem right, or jobs are
/// generated, or few are measured: next to no load, or nearly all measured jobs far shorter than a round.
[[nodiscard]] std::string doubt_of_units(const MeasuredSet& set, const Workload& workload);

/// The sets that the first `runs` runs of a study measure.
[[nodiscard]] std::vector<MeasuredSet> sets_of(const std::vector<MeasuredSet>& sets, std::size_t runs);

/// "measured: all 4,985 jobs of the trace": one line about the measured jobs of a study.
[[nodiscard]] std::string measured_line(const std::vector<MeasuredSet>& sets);
/// The same without numbers of jobs, before any are loaded.
[[nodiscard]] std::string measured_line(const Study& study);

/// "offered load: 0.71", or the least and the most of several workloads; where a part of a trace is measured also that
/// of the whole trace and of its busiest stretch, since the part was chosen by hand; and how many workloads that are
/// measured from their first job on overload the cluster. "" where no load is known.
[[nodiscard]] std::string load_line(const std::vector<MeasuredSet>& sets);

}  // namespace palstudy
