// SPDX-License-Identifier: MIT
// The walk through the jobs in order: PAL's artifact has one for sticky placements, which leave running jobs alone and
// may stop some for those before them, and one for the others, which place everybody afresh.
#include <algorithm>
#include <limits>

#include "policy/tensor_groups.hpp"
#include "sim/partition.hpp"

namespace palstudy {
bool Partition::may_starve(double since_s, JobId job) const {
  return table_.waiting(job) && table_.course[job.index()].waiting_since_s == since_s &&
         table_.starved[job.index()] == 0;
}

void Partition::mark_starved(double now_s) {
  // Where jobs take turns, nearly all entries are stale: they would be as many as there ever were stops.
  constexpr std::size_t few = 1024;
  if (starving_.size() > few + 4 * std::size_t{queued_}) {
    std::erase_if(starving_, [&](const auto& entry) { return !may_starve(entry.first, entry.second); });
  }
  while (!starving_.empty() && now_s - starving_.front().first >= world_.engine.starvation_s) {
    const auto [since_s, job] = starving_.front();
    starving_.pop_front();
    if (!may_starve(since_s, job)) continue;
    table_.starved[job.index()] = 1;
    ++starved_active_;
  }
}

/// Fills `ordered_`. Where no running job can be stopped, only those that wait are of interest.
void Partition::put_in_order(const View& view, bool reserved) {
  if (reserved) {
    ordered_.clear();
    for (const JobId job : active_) {
      if (table_.running(job)) ordered_.push_back(job);
    }
  } else if (placement_.sticky() && !order_.preemptive() && starved_active_ == 0) {
    ordered_ = waiting_;
  } else {
    ordered_.clear();
    for (const JobId job : active_) {
      if (table_.state[job.index()] != JobState::finished) ordered_.push_back(job);
    }
  }
  order_.order(view, ordered_);
  if (starved_active_ > 0) {
    std::stable_partition(ordered_.begin(), ordered_.end(),
                          [&](JobId job) { return table_.starved[job.index()] != 0; });
  }
  std::uint64_t demand = 0;
  head_ = 0;
  while (head_ < ordered_.size() && demand + view.job(ordered_[head_]).gpus <= view.gpus) {
    demand += view.job(ordered_[head_++]).gpus;
  }
}

/// A walk afresh depends on nothing but the jobs that it places and their order.
bool Partition::same_jobs_as_before() {
  const std::size_t size = world_.engine.backfill == Backfill::none ? head_ : ordered_.size();
  const auto jobs = std::span<const JobId>(ordered_).first(size);
  if (std::equal(jobs.begin(), jobs.end(), previous_order_.begin(), previous_order_.end())) return true;
  previous_order_.assign(jobs.begin(), jobs.end());
  return false;
}

/// Asks the placement policy; where tensor groups have to stay on a node, takes what comes nearest to its answer.
bool Partition::choose(const View& view, JobId id, GpuSet& gpus) {
  const Job& job = view.job(id);
  ++placements_;
  if (!placement_.choose({id, job.cls, job.gpus, view.now_s}, free_, gpus)) return false;
  canonicalize(gpus);
  const JobModel* model = uncommon_model(job);
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

bool Partition::place(const View& view, JobId id) {
  const Job& job = view.job(id);
  if (job.gpus > free_.total()) return false;
  Choice& choice = next_choice(id);
  if (!choose(view, id, choice.gpus)) return false;
  choice_of_[id.index()] = static_cast<std::uint32_t>(++chosen_);
  for (const NodeGpus& part : choice.gpus) free_.take(part);
  return true;
}

void Partition::release(std::uint32_t slot) {
  running_.released[slot] = 1;
  for (const NodeGpus& part : running_.gpus[slot]) free_.give(part);
  unseal(running_.job[slot], running_.gpus[slot]);
}

void Partition::take_back(std::uint32_t slot) {
  running_.released[slot] = 0;
  for (const NodeGpus& part : running_.gpus[slot]) free_.take(part);
  seal(running_.job[slot], running_.gpus[slot]);
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
  running_.tidy();
  std::fill(running_.released.begin(), running_.released.end(), std::uint8_t{1});
  free_.give_all();
  for (const auto& [job, gpus] : held_) {
    for (const NodeGpus& part : gpus) free_.take(part);
  }
  std::vector<JobId>& jobs = victims_;  // a buffer; a walk afresh stops nobody by hand
  jobs.assign(previous_order_.begin(), previous_order_.end());
  const bool by_class = placement_.arrange(view, std::span(jobs).first(head_));
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const ClassId cls = view.job(jobs[i]).cls;
    if (by_class && i < head_ && (i == 0 || cls != view.job(jobs[i - 1]).cls)) free_.enter(cls);
    if (place(view, jobs[i])) {
      weigh(choices_[chosen_ - 1]);
    } else if (world_.engine.backfill == Backfill::none) {
      return;
    }
  }
}

/// Whether how often the schedule changes by itself cannot be told, so that every boundary is looked at.
bool Partition::may_change_any_time() const {
  if (world_.engine.visit_every_boundary || !placement_.repeatable()) return true;
  // Victims that stay stopped for a job that still does not fit are placed anew behind it, time and again.
  return placement_.sticky() && (order_.preemptive() || starved_active_ > 0) &&
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
  while (!starving_.empty()) {
    const auto [since_s, job] = starving_.front();
    if (may_starve(since_s, job)) {
      change = std::min(change, later(since_s + world_.engine.starvation_s));
      break;
    }
    starving_.pop_front();
  }
  if (tenancy_) change = std::min(change, tenancy_->next_change);
  return std::max(change, next);
}

}  // namespace palstudy
