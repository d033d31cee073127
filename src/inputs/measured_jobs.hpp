// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/note.hpp"
#include "core/numbers.hpp"
#include "core/value.hpp"

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

/// "units": the times of a set's trace may be in another unit than seconds, with next to no load, or nearly all
/// measured jobs far shorter than a round. None of jobs that are generated, or where few are measured.
[[nodiscard]] std::optional<Note> doubt_of_units(const MeasuredSet& set, const Workload& workload);

/// The sets that the first `runs` runs of a study measure.
[[nodiscard]] std::vector<MeasuredSet> sets_of(const std::vector<MeasuredSet>& sets, std::size_t runs);

/// The sets as an archive keeps them, each with the number of its run; nothing of none.
[[nodiscard]] Value values_of(const std::vector<MeasuredSet>& sets);
/// The inverse, of runs of `study`. Errors (data, at `where`): it is something else.
[[nodiscard]] std::vector<MeasuredSet> sets_of(const Value& values, const Study& study, const std::string& where);

/// Fewer jobs than the note on a mean that 2 % of the jobs hold can see.
inline constexpr std::size_t few_measured = 51;

/// How many sets have a load over 1, of those whose load is known.
struct Overloaded {
  std::size_t from_first = 0;  ///< measured from their first job on, so that they overload the cluster
  std::size_t later = 0;       ///< measured later
  std::size_t of = 0;
};
[[nodiscard]] Overloaded overloaded_sets(const std::vector<MeasuredSet>& sets);

/// The sets in a few numbers, by name: `workloads`, those of them that are `overloaded` or `over_one`; and as least and
/// most the `jobs` that are measured `of` all, the `load`, that of the `whole` trace, and that of its `busiest`
/// stretch. What is not known is left out.
[[nodiscard]] ValueRecord load_values(const std::vector<MeasuredSet>& sets);

}  // namespace palstudy
