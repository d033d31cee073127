// SPDX-License-Identifier: MIT
#include "sim/state/transaction.hpp"

#include <algorithm>
#include <bit>

#include "core/large_array.hpp"
#include "policy/tensor_groups.hpp"

namespace palstudy {

Request Transaction::request(JobId id) const {
  const Job& job = state_.job(id);
  return {id, job.cls, state_.width(id), now_s_};
}

/// Where tensor groups have to stay on a node, takes what comes nearest to the policy's answer.
bool Transaction::choose(const Request& request, GpuSet& gpus) {
  ++requests_;
  if (!policy_.choose(request, state_.free, gpus)) return false;
  if (gpus.size() > 1) canonicalize(gpus);
  const std::uint32_t group = state_.rates.tensor_group(request.job);
  return group == 1 || keep_groups_whole(group, state_.free, gpus);
}

/// An empty placement, which counts once `count_` includes it.
/// Rare, and apart, so that `next_placement` itself saves no registers.
[[gnu::noinline]] void Transaction::add_placement() { placements_.emplace_back(); }

Placement& Transaction::next_placement(JobId job) {
  if (count_ == placements_.size()) add_placement();
  Placement& placement = placements_[count_];
  placement.job = job;
  placement.weighed = false;
  placement.batch = state_.sizes.empty() ? 0 : state_.sizes[job.index()].batch;
  placement.gpus.clear();
  return placement;
}

bool Transaction::place(const Request& request) {
  if (request.gpus > state_.free.total()) return false;
  Placement& placement = next_placement(request.job);
  if (!choose(request, placement.gpus)) return false;
  ++count_;
  take_free(placement.gpus);
  return true;
}

bool Transaction::place(JobId job) { return place_waiting(request(job)); }

const GpuSet* Transaction::would_get(JobId job) {
  const Request wanted = request(job);
  if (wanted.gpus > state_.free.total()) return nullptr;
  GpuSet& gpus = next_placement(job).gpus;
  return choose(wanted, gpus) ? &gpus : nullptr;
}

void Transaction::mask_beyond_queue(JobId job) {
  excluded_.clear();
  const QueueRules* queues = state_.world.queues;
  if (queues == nullptr) return;
  const NodeSet& nodes = queues->all[queues->of(state_.job(job))].nodes;
  for (std::uint32_t n = 0; n < state_.topology().nodes(); ++n) {
    const GpuMask free = state_.free.mask(NodeId(n));
    if (free != 0 && !nodes.contains(NodeId(n))) excluded_.push_back({NodeId(n), free});
  }
  mask(excluded_);
}

bool Transaction::fits(JobId job) {
  mask_beyond_queue(job);
  const bool fits = would_get(job) != nullptr;
  unmask(excluded_);
  return fits;
}

bool Transaction::place(JobId job, JobSize size, const Confinement& confinement) {
  const ClassId cls = state_.job(job).cls;
  mask_beyond(cls, confinement);
  const bool fits = place_waiting({job, cls, size.gpus, now_s_});
  unmask(excluded_);
  if (fits) placements_[count_ - 1].batch = size.batch;
  return fits;
}

bool Transaction::place_waiting(const Request& request) {
  const JobId job = request.job;
  if (!place(request)) return false;
  placement_of_[job.index()] = static_cast<std::uint32_t>(count_);
  state_.rates.prefetch_slowdowns(state_.job(job).cls, last_placement());
  prefetch(state_.rows.records[job.index()]);  // the dispatcher writes its start
  state_.table.fetch_course(job);
  return true;
}

/// Makes the GPUs unavailable that a job of the class may not have, until `unmask(excluded_)`.
void Transaction::mask_beyond(ClassId cls, const Confinement& confinement) {
  const auto& bins = state_.free.bins().of(cls).of_gpu;
  const bool all_bins = confinement.first_bin == 0 && confinement.last_bin == UINT32_MAX;
  excluded_.clear();
  for (std::uint32_t n = 0; n < state_.topology().nodes(); ++n) {
    const NodeId node(n);
    GpuMask out = state_.free.mask(node);
    const bool allowed =
        confinement.nodes.empty() || std::binary_search(confinement.nodes.begin(), confinement.nodes.end(), node);
    if (allowed && all_bins) out = 0;
    for (GpuMask rest = allowed ? out : 0; rest != 0; rest &= rest - 1) {
      const auto gpu = static_cast<std::uint32_t>(std::countr_zero(rest));
      const std::uint32_t bin = bins[state_.topology().first_gpu(node).index() + gpu];
      if (bin >= confinement.first_bin && bin <= confinement.last_bin) out &= ~lowest(rest, 1);
    }
    if (out != 0) excluded_.push_back({node, out});
  }
  mask(excluded_);
}

bool Transaction::place(JobId job, const Confinement& confinement) {
  mask_beyond(state_.job(job).cls, confinement);
  const bool fits = place(job);
  unmask(excluded_);
  return fits;
}

void Transaction::take(JobId job, const GpuSet& gpus, std::uint32_t batch) {
  take(job, gpus);
  placements_[count_ - 1].batch = batch;
}

void Transaction::take(JobId job, const GpuSet& gpus) {
  Placement& placement = next_placement(job);
  placement.gpus = gpus;
  const std::uint32_t slot = state_.running.slot_of(job);
  if (slot != RunningSet::no_slot && !released(slot)) give(state_.running.allocation[slot].gpus);
  take_free(placement.gpus);
  placement_of_[job.index()] = static_cast<std::uint32_t>(++count_);
}

void Transaction::release(JobId job, StopReason reason) {
  const std::uint32_t slot = state_.running.slot_of(job);
  state_.running.released[slot] = 1;
  give(state_.running.allocation[slot].gpus);
  released_.push_back({job, reason});
}

void Transaction::rollback(Savepoint to) {
  while (count_ > to.placements) {
    const Placement& undone = placements_[--count_];
    give(undone.gpus);
    placement_of_[undone.job.index()] = 0;
    const std::uint32_t slot = state_.running.slot_of(undone.job);
    if (slot != RunningSet::no_slot && !released(slot)) take_free(state_.running.allocation[slot].gpus);
  }
  while (released_.size() > to.releases) {
    const std::uint32_t slot = state_.running.slot_of(released_.back().job);
    state_.running.released[slot] = 0;
    take_free(state_.running.allocation[slot].gpus);
    released_.pop_back();
  }
}

void Transaction::find_active() {
  RunningSet& running = state_.running;
  running.sort_slots();
  active.clear();
  auto waiting = state_.queue.waiting().begin();
  const auto end = state_.reserved ? waiting : state_.queue.waiting().end();
  const auto add_waiting_below = [&](JobId limit) {
    for (; waiting != end && *waiting < limit; ++waiting) {
      const Job& job = state_.job(*waiting);
      active.push_back({*waiting, state_.width(*waiting), job.cls, RunningSet::no_slot});
    }
  };
  for (const std::uint32_t slot : running.by_job()) {
    add_waiting_below(running.job[slot]);
    active.push_back({running.job[slot], running.demand[slot].gpus, running.demand[slot].cls, slot});
  }
  add_waiting_below(JobId(UINT32_MAX));
}

void Transaction::repack(std::span<const JobId> staying) {
  repacks_ = true;
  state_.free.give_all();
  for (const HeldPart& part : state_.wide_parts) take_free(part.gpus);
  if (state_.free.any_withdrawn() || !staying.empty()) keep_places(staying);
}

void Transaction::keep_places(std::span<const JobId> staying) {
  auto next = staying.begin();
  for (ActiveJob& job : active) {
    while (next != staying.end() && *next < job.job) ++next;
    const bool stays = next != staying.end() && *next == job.job;
    if (job.slot == RunningSet::no_slot) continue;
    const GpuSet& gpus = state_.running.allocation[job.slot].gpus;
    if (!stays && !state_.free.any_withdrawn(gpus)) continue;
    Placement& placement = next_placement(job.job);
    placement.gpus = gpus;
    placement.slot = job.slot;
    take_free(gpus);
    weigh(placement, job.cls);
    job.placement = static_cast<std::uint32_t>(++count_);
  }
}

bool Transaction::place_active(ActiveJob& job) {
  if (job.placement != 0) return true;
  if (!place({job.job, job.cls, job.gpus, now_s_})) return false;
  job.placement = static_cast<std::uint32_t>(count_);
  Placement& placement = placements_[count_ - 1];
  placement.slot = job.slot;
  weigh(placement, job.cls);
  return true;
}

void Transaction::weigh(Placement& placement, ClassId cls) {
  placement.weighed = true;
  placement.stays = placement.slot != RunningSet::no_slot &&
                    state_.running.allocation[placement.slot].gpus == placement.gpus &&
                    (state_.sizes.empty() || state_.sizes[placement.job.index()].batch == placement.batch);
  if (!placement.stays) placement.factors = state_.rates.factors(placement.job, cls, placement.gpus);
}

bool Transaction::hold(JobId job, std::uint32_t gpus) {
  HeldPart& part = state_.idle_parts.emplace_back(HeldPart{job, {}, 0});
  ++requests_;
  if (!policy_.choose({job, state_.job(job).cls, gpus, now_s_}, state_.free, part.gpus)) {
    state_.idle_parts.pop_back();
    return false;
  }
  canonicalize(part.gpus);
  take_free(part.gpus);
  part.since_s = state_.world.engine.rounds().start_s(now_s_);
  state_.free_set_changed = true;
  return true;
}

void Transaction::free_held(JobId job) {
  for (const HeldPart& part : state_.idle_parts) {
    if (part.job == job) give(part.gpus);
  }
}

void Transaction::take_held(JobId job) {
  for (const HeldPart& part : state_.idle_parts) {
    if (part.job == job) take_free(part.gpus);
  }
}

void Transaction::end_hold(JobId job) {
  for (HeldPart& part : state_.idle_parts) {
    if (part.job == job) ended_holds_.push_back({std::move(part.gpus), part.since_s, now_s_});
  }
  std::erase_if(state_.idle_parts, [&](const HeldPart& part) { return part.job == job; });
}

}  // namespace palstudy
