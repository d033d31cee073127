// SPDX-License-Identifier: MIT
#pragma once

#include <limits>

#include "study/study.hpp"

namespace palstudy {

class PlacementPolicy;

/// What goes on in a run until its last measured job finishes: foretold by a formula, or seen in a rehearsal.
struct Activity {
  double jobs = 0, gpus = 0;            ///< that arrive; the sum of their widths
  double sure_jobs = 0, sure_gpus = 0;  ///< of those that arrive before the last measured one
  double span_s = 0;
  double boundaries = 0;             ///< at which something can change
  double running = 0;                ///< jobs that run, summed over those
  double moved = 0, moved_gpus = 0;  ///< of those, that are launched elsewhere or stopped; their widths
  double ordered = 0;                ///< jobs that an order sorts again, summed over those
  double events = -1, event_gpus = -1, round_rows = -1;  ///< rows of the record; below 0 where nobody knows
};

/// What of a run's policies tells how much work it is.
struct PolicyTraits {
  bool preemptive = false;  ///< the order stops running jobs
  bool repeatable = true;   ///< the placement leaves nothing to chance
  bool sticky = true;
  bool moves_running = false;  ///< though sticky, it moves a running job where that repays
  bool by_bins = true;         ///< the placement looks at how fast GPUs are
};
[[nodiscard]] PolicyTraits traits_of(const RunPlan& run, const Inputs::Loaded& inputs);

/// By a formula: every job runs a little longer than on median GPUs, and as many at a time as fit. It knows nothing of
/// jobs that wait although there is room for their work, so it is good where jobs run once they have begun.
[[nodiscard]] Activity foretell(const RunPlan& run, const Inputs::Loaded& inputs, const PolicyTraits& traits);
/// Counts the jobs that arrive until the end of the run, `span_s`, and their GPUs.
void count_jobs(Activity& all, const Workload& workload);
/// Who is moved in a run for which the formula says `formula`, where of another, or of a part of it, with the formula
/// `there`, `seen` was seen: the share of those that run that `seen` has, times what the formula says of the
/// difference.
void carry_moves(Activity& all, const Activity& formula, const Activity& seen, const Activity& there);
/// Whether that can be far off, for what the run does besides.
[[nodiscard]] bool is_doubtful(const RunPlan& run, const Inputs::Loaded& inputs, const PolicyTraits& traits);

/// Seconds of the engine, on one core of a 2 GHz server (docs/performance.md).
struct EngineRates {
  double begin_s = 0, job_s = 0;  ///< of a run; of each job that arrives
  double boundary_s = 0;          ///< of each boundary that is looked at
  double running_s = 0;           ///< and there, of each job that runs
  bool afresh = false;            ///< which is placed again there; less where few of them move
  double ordered_s = 0;           ///< and of each that is sorted
  [[nodiscard]] double seconds(const Activity& all) const;
};
[[nodiscard]] EngineRates engine_rates(const RunPlan& run, const Inputs::Loaded& inputs);

}  // namespace palstudy
