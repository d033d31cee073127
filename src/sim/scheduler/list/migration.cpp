// SPDX-License-Identifier: MIT
#include "sim/scheduler/list/migration.hpp"

#include <algorithm>

#include "core/rounds.hpp"

namespace palstudy {

bool Migration::may_move() const {
  return placement_.moves_running() && state_.running.size() > 0 &&
         (state_.free_set_changed || state_.world.engine.visit_every_boundary);
}

/// The believed product of GPUs to which a job could move.
double Migration::alternative(JobId job, const GpuSet& gpus) const {
  const LocalityPenalty& penalty = state_.world.believed_penalty.of(job);
  const ClassBins& bins = state_.free.bins().of(state_.job(job).cls);
  const double value = bins.values[state_.believed_cost(job, gpus).slowest_bin];
  return (gpus.size() == 1 ? penalty.node : across_penalty(penalty)) * value;
}

/// Whether running at `product` with `work_s` left repays the migration.
bool Migration::repays(std::uint32_t slot, double work_s, double product, double now_s) const {
  const double gain = state_.running.believed[slot].product - product;
  const double unpaid_s = std::max(0.0, state_.running.progress[slot].segment.from_s - now_s);
  return gain > 0 && work_s * gain > state_.world.engine.migration_s - unpaid_s;
}

void Migration::move_running(const View& view, Transaction& transaction, std::span<const JobId> staying) {
  state_.free_set_changed = state_.free_set_changed || transaction.changes();
  if (!may_move()) return;
  if (!Rounds(view.round_s).is_boundary(view.now_s)) return;
  state_.free_set_changed = false;
  lower_bound_.forget();
  RunningSet& running = state_.running;
  running.sort_slots();
  for (const std::uint32_t slot : running.by_job()) {
    if (transaction.released(slot)) continue;  // stopped or placed again at this boundary
    const JobId id = running.job[slot];
    const Demand& demand = running.demand[slot];
    const JobProgress& progress = running.progress[slot];
    const double least = lower_bound_.least_product({demand.cls, demand.gpus, state_.world.believed_penalty.of(id)},
                                                    running.allocation[slot].gpus, running.believed[slot], state_.free);
    // Cheap rejects first: by the bound, with all work that the segment began with, then with what is left of it.
    if (!repays(slot, (progress.iterations - progress.segment.work) * progress.iteration_s, least, view.now_s))
      continue;
    const double work_s =
        (progress.iterations - state_.work.work_at(progress.segment, view.now_s)) * progress.iteration_s;
    if (!repays(slot, work_s, least, view.now_s)) continue;
    if (std::binary_search(staying.begin(), staying.end(), id)) {
      state_.free_set_changed = true;  // so that it is asked again at the next boundary
      continue;
    }
    const auto better = [&](const GpuSet& gpus) { return repays(slot, work_s, alternative(id, gpus), view.now_s); };
    if (transaction.move_if(slot, better)) lower_bound_.forget();
  }
}

}  // namespace palstudy
