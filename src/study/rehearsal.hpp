// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "study/activity.hpp"
#include "study/estimate.hpp"
#include "study/study.hpp"

namespace palstudy {

/// A run that was simulated in memory to see what it takes: itself, or others that are like it but shorter.
struct Rehearsed {
  Activity activity;   ///< of the whole run
  double core_s = 0;   ///< the same; processor time, so that others on the machine do not count; by formula
                       ///< if `glimpsed`
  double spent_s = 0;  ///< what this took, as counted by `EngineRates`
  bool whole = true;   ///< it was simulated from its beginning to its end
  std::optional<RunRecord> record;  ///< if whole
  bool glimpsed = false;            ///< all but who is moved is by formula
};

/// Simulates one run on this rank, with the boundaries as far apart as it takes to keep to about `limit_s` of the
/// engine's work. That is counted by `EngineRates`, so all but seconds is the same on every machine.
[[nodiscard]] Rehearsed rehearse(const Study& study, const RunPlan& run, Inputs& inputs, double limit_s);
/// The same with the boundaries as they are; a run that takes more is cut there.
[[nodiscard]] Rehearsed rehearse_as_it_is(const Study& study, const RunPlan& run, Inputs& inputs, double limit_s);

/// What the formula says of a run that writes events down and takes too long to be simulated, but for who is moved:
/// that is seen in its beginning, of about `limit_s` of the engine's work.
/// Nothing where it does far more than the formula says, or too little to tell.
[[nodiscard]] std::optional<Rehearsed> glimpse(const Study& study, const RunPlan& run, Inputs& inputs, double limit_s);

/// One seed of points of a study, and more where that costs little.
struct Rehearsal {
  std::map<std::size_t, Rehearsed> runs;         ///< by run of the study
  std::vector<std::vector<std::size_t>> points;  ///< runs that differ in seeds alone, ascending, by their first
  double seconds = 0;                            ///< that it took
};
/// Rehearses points whose estimate by formula is doubtful and points that are cheap, for about ten seconds of a core at
/// most; and for `more_seeds_s` more other seeds of points whose first was simulated whole. With `output.events`, for
/// four seconds more, the beginnings of runs in which jobs may be moved. `told`, if given, hears how many of how many
/// (0: nobody knows) are done.
[[nodiscard]] Rehearsal rehearse(const Study& study, Inputs& inputs, const StudyEstimate& formula,
                                 const std::function<void(std::size_t, std::size_t)>& told = {},
                                 double more_seeds_s = 2);

}  // namespace palstudy
