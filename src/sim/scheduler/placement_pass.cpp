// SPDX-License-Identifier: MIT
// The walk through the jobs in order: PAL's artifact has one for sticky placements, which leave running jobs alone and
// may stop some for those before them, and one for the others, which place everybody afresh.
#include <algorithm>
#include <limits>
#include <numeric>

#include "core/large_array.hpp"
#include "policy/tensor_groups.hpp"
#include "sim/engine/partition.hpp"

namespace palstudy {

/// Fills `contenders_` with the jobs that wait, but if the partition is reserved, and those that run.
void Partition::find_contenders(bool reserved) {
  running_.tidy();
  contenders_.clear();
  auto waiting = queue_.waiting().begin();
  const auto end = reserved ? waiting : queue_.waiting().end();
  const auto those_under = [&](JobId limit) {
    for (; waiting != end && *waiting < limit; ++waiting) {
      const Job& job = world_.workload.jobs[waiting->index()];
      contenders_.push_back({*waiting, job.gpus, job.cls, RunningSet::no_slot});
    }
  };
  for (const std::uint32_t slot : running_.by_job()) {
    those_under(running_.job[slot]);
    contenders_.push_back({running_.job[slot], running_.wants[slot].gpus, running_.wants[slot].cls, slot});
  }
  those_under(JobId(UINT32_MAX));
}

/// Fills `ordered_`, and for a walk afresh `turns_`. Where no running job can be stopped, only those that wait are of
/// interest.
void Partition::put_in_order(const View& view, bool reserved) {
  if (!reserved && placement_.sticky() && !order_.preemptive() && !queue_.any_starved()) {
    ordered_ = queue_.waiting();
  } else {
    find_contenders(reserved);
    ordered_.clear();
    for (const Contender& of : contenders_) ordered_.push_back(of.job);
  }
  order_.order(view, ordered_);
  if (queue_.any_starved()) {
    std::stable_partition(ordered_.begin(), ordered_.end(),
                          [&](JobId job) { return table_.starved[job.index()] != 0; });
  }
  if (placement_.sticky()) return;
  if (tenancy_) merge_tenants(view);
  take_turns(view.gpus);
}

/// Finds the contenders in their order, and how many of the first of them `gpus` are enough for.
void Partition::take_turns(std::uint32_t gpus) {
  const auto before = [](const Contender& of, JobId job) { return of.job < job; };
  turns_.clear();
  head_ = 0;
  std::uint64_t demand = 0;
  std::size_t next = 0;
  for (const JobId job : ordered_) {
    if (next == contenders_.size() || contenders_[next].job != job) {  // not by id, as in most orders
      const auto at = std::lower_bound(contenders_.begin(), contenders_.end(), job, before);
      next = static_cast<std::size_t>(at - contenders_.begin());
    }
    turns_.push_back(static_cast<std::uint32_t>(next));
    demand += contenders_[next++].gpus;
    if (demand <= gpus) ++head_;
  }
}

/// Sorts the turns of the head by class, stably.
void Partition::take_turns_by_class() {
  thread_local std::vector<std::uint32_t> before;
  thread_local std::vector<std::size_t> next;  // by class: where its next job goes
  before.assign(turns_.begin(), turns_.begin() + static_cast<std::ptrdiff_t>(head_));
  next.clear();
  for (const std::uint32_t turn : before) {
    const std::size_t after = contenders_[turn].cls.index() + 1;
    if (next.size() <= after) next.resize(after + 1, 0);
    ++next[after];
  }
  std::partial_sum(next.begin(), next.end(), next.begin());
  for (const std::uint32_t turn : before) turns_[next[contenders_[turn].cls.index()]++] = turn;
}

/// A walk afresh depends on nothing but the jobs that it places and their order.
bool Partition::same_jobs_as_before() {
  const std::size_t size = world_.engine.backfill == Backfill::none ? head_ : ordered_.size();
  const auto jobs = std::span<const JobId>(ordered_).first(size);
  if (std::equal(jobs.begin(), jobs.end(), previous_order_.begin(), previous_order_.end())) return true;
  previous_order_.assign(jobs.begin(), jobs.end());
  return false;
}

Request Partition::request(const View& view, JobId id) const {
  const Job& job = view.job(id);
  return {id, job.cls, job.gpus, view.now_s};
}

/// Asks the placement policy; where tensor groups have to stay on a node, takes what comes nearest to its answer.
bool Partition::choose(const Request& request, GpuSet& gpus) {
  ++placements_;
  if (!placement_.choose(request, free_, gpus)) return false;
  if (gpus.size() > 1) canonicalize(gpus);
  const JobModel* model = rates_.uncommon_model(request.job);
  return model == nullptr || model->tensor == 1 || keep_groups_whole(model->tensor, free_, gpus);
}

/// Where the next choice goes, empty. It counts once `chosen_` does.
Partition::Choice& Partition::next_choice(JobId job) {
  if (chosen_ == choices_.size()) choices_.emplace_back();
  Choice& choice = choices_[chosen_];
  choice.job = job;
  choice.weighed = false;
  choice.gpus.clear();
  return choice;
}

bool Partition::place(const Request& request) {
  if (request.gpus > free_.total()) return false;
  Choice& choice = next_choice(request.job);
  if (!choose(request, choice.gpus)) return false;
  ++chosen_;
  for (const NodeGpus& part : choice.gpus) free_.take(part);
  return true;
}

bool Partition::place(const View& view, JobId job) {
  if (!place(request(view, job))) return false;
  choice_of_[job.index()] = static_cast<std::uint32_t>(chosen_);
  rates_.prefetch_slowdowns(view.job(job).cls, choices_[chosen_ - 1].gpus);
  prefetch(rows_.records[job.index()]);  // `commit` writes its start
  prefetch(table_.course[job.index()]);
  return true;
}

void Partition::release(std::uint32_t slot) {
  running_.released[slot] = 1;
  for (const NodeGpus& part : running_.holds[slot].gpus) free_.give(part);
  unseal(running_.job[slot], running_.holds[slot].gpus);
}

void Partition::take_back(std::uint32_t slot) {
  running_.released[slot] = 0;
  for (const NodeGpus& part : running_.holds[slot].gpus) free_.take(part);
  seal(running_.job[slot], running_.holds[slot].gpus);
}

/// Stops running jobs behind `position` one by one until its job fits.
bool Partition::place_by_stopping(const View& view, std::size_t position) {
  const std::size_t first = released_jobs_.size();
  victims_.clear();
  order_.victims(view, ordered_[position], std::span<const JobId>(ordered_).subspan(position + 1), victims_);
  for (const JobId victim : victims_) {
    const std::uint32_t slot = running_.slot_of(victim);
    if (running_.released[slot] != 0) continue;
    release(slot);
    released_jobs_.push_back(victim);
    if (place(view, ordered_[position])) return true;
  }
  if (world_.engine.sticky_victims == StickyVictims::stay_stopped) return false;
  while (released_jobs_.size() > first) {
    take_back(running_.slot_of(released_jobs_.back()));
    released_jobs_.pop_back();
  }
  return false;
}

void Partition::walk_sticky(const View& view) {
  for (std::size_t position = 0; position < ordered_.size(); ++position) {
    const JobId job = ordered_[position];
    if (table_.running(job) && running_.released[running_.slot_of(job)] == 0) continue;
    if (place(view, job) || place_by_stopping(view, position)) continue;
    if (world_.engine.backfill == Backfill::none) return;
  }
}

void Partition::walk_afresh(const View& view) {
  free_.give_all();
  for (const auto& [job, gpus] : held_) {
    for (const NodeGpus& part : gpus) free_.take(part);
  }
  const bool by_class = placement_.by_class();
  if (by_class) take_turns_by_class();
  for (std::size_t i = 0; i < previous_order_.size(); ++i) {
    Contender& of = contenders_[turns_[i]];
    if (by_class && i < head_ && (i == 0 || of.cls != contenders_[turns_[i - 1]].cls)) free_.enter(of.cls);
    if (place({of.job, of.cls, of.gpus, view.now_s})) {
      of.choice = static_cast<std::uint32_t>(chosen_);
      Choice& choice = choices_[chosen_ - 1];
      choice.slot = of.slot;
      weigh(choice, of.cls);
    } else if (world_.engine.backfill == Backfill::none) {
      return;
    }
  }
}

/// Whether how often the schedule changes by itself cannot be told, so that every boundary is looked at.
bool Partition::may_change_any_time() const {
  if (world_.engine.visit_every_boundary || !placement_.repeatable()) return true;
  // Victims that stay stopped for a job that still does not fit are placed anew behind it, time and again.
  return placement_.sticky() && (order_.preemptive() || queue_.any_starved()) &&
         world_.engine.backfill != Backfill::none && world_.engine.sticky_victims == StickyVictims::stay_stopped;
}

Boundary Partition::next_change(double now_s) {
  if (told_late_) return boundary_after(now_s, world_.engine.round_s);
  if (idle()) return never;
  const bool improves = may_improve();
  const double round_s = world_.engine.round_s;
  const auto later = [&](double time_s) {  // than now, too
    const Boundary at = boundary_at_or_after(time_s, round_s);
    return at == never || boundary_s(at, round_s) > now_s ? at : at + 1;
  };
  const Boundary next = later(now_s);
  if (improves || may_change_any_time()) return next;
  Boundary change = later(order_.next_change_s(view(now_s), ordered_));
  change = std::min(change, later(queue_.next_starvation_s()));
  if (tenancy_) change = std::min(change, tenancy_->next_change);
  return std::max(change, next);
}

}  // namespace palstudy
