// SPDX-License-Identifier: MIT
// Which running jobs of a sticky policy move (`PlacementPolicy::moves_running`).
//
// At a boundary, after the walk, the running jobs are looked at by ascending id. The alternative of a job is what the
// policy would choose for it if its own GPUs were free as well. With W = seconds of work left at slowdown 1 and penalty
// 1, p = believed slowdown x penalty of the GPUs that it holds, p' = that of the alternative and m = seconds left of a
// migration that it is still paying for, it would end in m + W p seconds if it stays and in migration_s + W p' if it
// moves. It moves if that saves time: W (p - p') > migration_s - m. Without a migration cost every strict gain moves.
// An alternative of more than one node is reckoned at the cluster's penalty, as by pal, even if it should lie within a
// cabinet: p is never more than was reckoned. So a move takes p down and leaves that of others alone, and moving ends.
//
// When to look: as time passes, W and m never grow, and p and p' depend only on the GPUs that are free and on those
// that the job holds. What did not repay at one look therefore does not repay at a later one, unless GPUs have been
// taken or given in between: launches, moves and stops of the boundary itself included, since they come after the look
// or in the midst of it. So a boundary is of interest if anything was touched since the last look, and never by time
// alone.
#include <algorithm>
#include <bit>

#include "sim/engine/partition.hpp"

namespace palstudy {

bool Partition::may_improve() const {
  return placement_.moves_running() && running_.size() > 0 && (touched_ || world_.engine.visit_every_boundary);
}

Held Partition::held(JobId job, const GpuSet& gpus) const {
  const ClassBins& bins = free_.bins().of(world_.workload.jobs[job.index()].cls);
  const Topology& topology = free_.topology();
  Held held;
  for (const NodeGpus& part : gpus) {
    std::uint32_t on_node = 0;
    for (GpuMask rest = part.mask; rest != 0; rest &= rest - 1, ++on_node) {
      const std::size_t gpu = topology.first_gpu(part.node).index() + static_cast<std::size_t>(std::countr_zero(rest));
      const std::uint32_t bin = bins.of_gpu[gpu];
      if (bin > held.slowest_bin) held.in_slowest = 0;
      held.slowest_bin = std::max(held.slowest_bin, bin);
      held.in_slowest += bin == held.slowest_bin ? 1 : 0;
    }
    held.most_on_a_node = std::max(held.most_on_a_node, on_node);
  }
  held.product = world_.believed_penalty.of(job).at(topology.level(gpus)) * bins.values[held.slowest_bin];
  return held;
}

/// What the policy reckons for GPUs to which a job could move.
double Partition::alternative(JobId job, const GpuSet& gpus) const {
  const LocalityPenalty& penalty = world_.believed_penalty.of(job);
  const ClassBins& bins = free_.bins().of(world_.workload.jobs[job.index()].cls);
  const double value = bins.values[held(job, gpus).slowest_bin];
  return (gpus.size() == 1 ? penalty.node : across_penalty(penalty)) * value;
}

/// A job has got GPUs.
void Partition::touch(std::uint32_t slot) {
  touched_ = true;
  if (!placement_.moves_running()) return;
  running_.held[slot] = held(running_.job[slot], running_.holds[slot].gpus);
}

/// Whether going on at `product` with `work_s` left repays the migration.
bool Partition::repays(std::uint32_t slot, double work_s, double product, double now_s) const {
  const double gain = running_.held[slot].product - product;
  const double unpaid_s = std::max(0.0, running_.pace[slot].segment.from_s - now_s);
  return gain > 0 && work_s * gain > world_.engine.migration_s - unpaid_s;
}

void Partition::walk_improve(const View& view) {
  touched_ = touched_ || chosen_ > 0 || !released_jobs_.empty();  // by the walk just made
  if (!may_improve()) return;
  const Boundary k = boundary_at_or_after(view.now_s, view.round_s);
  if (k == never || boundary_s(k, view.round_s) != view.now_s) return;
  touched_ = false;
  least_.forget();
  running_.tidy();
  for (const std::uint32_t slot : running_.by_job()) {
    if (running_.released[slot] != 0) continue;  // stopped or placed anew by the walk
    const JobId id = running_.job[slot];
    const Wants& wants = running_.wants[slot];
    const Pace& pace = running_.pace[slot];
    const double least = least_.of({wants.cls, wants.gpus, world_.believed_penalty.of(id)}, running_.holds[slot].gpus,
                                   running_.held[slot], free_);
    // Cheap rejects first: by the bound, with all work that the segment began with, then with what is left of it.
    if (!repays(slot, (pace.iterations - pace.segment.work) * pace.iteration_s, least, view.now_s)) continue;
    const double work_s = (pace.iterations - progress_.work_at(pace.segment, view.now_s)) * pace.iteration_s;
    if (!repays(slot, work_s, least, view.now_s)) continue;
    if (improve(view, slot, work_s)) least_.forget();
  }
}

/// Moves a job with `work_s` left, on paper, if its alternative repays.
bool Partition::improve(const View& view, std::uint32_t slot, double work_s) {
  const JobId id = running_.job[slot];
  Choice& choice = next_choice(id);
  for (const NodeGpus& part : running_.holds[slot].gpus) free_.give(part);
  const bool better =
      choose(request(view, id), choice.gpus) && repays(slot, work_s, alternative(id, choice.gpus), view.now_s);
  for (const NodeGpus& part : better ? choice.gpus : running_.holds[slot].gpus) free_.take(part);
  if (!better) return false;
  choice_of_[id.index()] = static_cast<std::uint32_t>(++chosen_);
  return true;
}

}  // namespace palstudy
