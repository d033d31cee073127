// SPDX-License-Identifier: MIT
#include "sim/scheduler/list/backfilling.hpp"

#include <algorithm>
#include <functional>

namespace palstudy {

Backfilling::Backfilling(const SchedulerContext& context, const BackfillPolicy& policy)
    : state_(context.state), policy_(policy), expected_(context.state) {
  const EngineOptions& engine = state_.world.engine;
  rounds = engine.start == Start::event ? Rounds(0) : engine.rounds();
  lengths_known = !expected_.by_gpus() && !engine.reserves_bins;
  if (state_.world.queues == nullptr) return;
  for (const QueueRule& queue : state_.world.queues->all) queue_nodes_.push_back(queue.nodes);
  queues = queue_nodes_;
}

std::vector<Reservation>::iterator Backfilling::promise_of(JobId job) {
  return std::lower_bound(promises_.begin(), promises_.end(), job,
                          [](const Reservation& promise, JobId id) { return promise.job < id; });
}

void Backfilling::notify(const JobEvent& event) {
  switch (event.change) {
    case JobChange::started:
      if (const auto promised_s = forget_promise(event.job)) {
        constexpr double tolerance = 1e-9;  // of sums of times
        const bool late = event.now_s > *promised_s + tolerance * (1 + *promised_s);
        if (late) state_.rows.records[event.job.index()].late = 1;
      }
      break;
    case JobChange::moved_out:
      (void)forget_promise(event.job);
      std::erase_if(reservations, [&](const Reservation& one) { return one.job == event.job; });
      ended = true;
      break;
    case JobChange::stopped:
    case JobChange::failed:
      if (policy_.requeue_delay_s() > 0) held_.push_back({event.job, 0, event.now_s + policy_.requeue_delay_s(), 0});
      ended = true;
      break;
    case JobChange::ended:
      if (state_.world.starts != nullptr) tell_followers(event);
      ended = true;
      break;
    default:
      break;
  }
}

/// Jobs that come after one that is over have waited in vain until now.
void Backfilling::tell_followers(const JobEvent& event) {
  for (const auto& link : state_.world.starts->followers(event.job)) {
    if (state_.table.waiting(link.second)) state_.table.course(link.second).waiting_since_s = event.now_s;
  }
}

/// The start that the job was promised, if it was.
std::optional<double> Backfilling::forget_promise(JobId job) {
  const auto at = promise_of(job);
  if (at == promises_.end() || at->job != job) return std::nullopt;
  const double start_s = at->start_s;
  promises_.erase(at);
  return start_s;
}

double Backfilling::length_s(double left_s) const { return left_s > 0 ? left_s : expected_.extended_s(now_s) - now_s; }

/// What is planned before anything starts. A job that is over its time already, since it was stopped, gets a little.
void Backfilling::plan(std::span<const JobId> ordered) {
  releases.clear();
  if (policy_.plans_nodes()) {
    gpus = &state_.free;
    running.clear();
    started_gpus_.clear();
  } else {
    list_releases();
  }
  jobs_.clear();
  for (const JobId job : ordered) {
    const NodeDemand demand = policy_.plans_nodes() ? transaction_->demand(job) : NodeDemand();
    jobs_.push_back({job, state_.width(job), length_s(expected_.left_s(job)), 0, demand});
  }
  if (state_.world.queues != nullptr) sort_by_queues(*state_.world.queues);
  leave_out_held();
  if (state_.world.starts != nullptr) {
    leave_out_followers(*state_.world.starts);
    count_tasks(*state_.world.starts);
  }
  waiting = jobs_;
  std::erase_if(reservations, [&](const Reservation& one) { return !state_.table.waiting(one.job); });
}

/// Jobs of a queue of a higher tier come first, whatever the order says.
void Backfilling::sort_by_queues(const QueueRules& rules) {
  for (WaitingJob& job : jobs_) job.queue = rules.of(state_.job(job.job));
  std::ranges::stable_sort(jobs_, std::greater(), [&](const WaitingJob& job) { return rules.all[job.queue].tier; });
}

/// Jobs that lost their GPUs a moment ago.
void Backfilling::leave_out_held() {
  std::erase_if(held_, [&](const Reservation& one) { return one.start_s <= now_s || !state_.table.waiting(one.job); });
  if (held_.empty()) return;
  std::erase_if(jobs_, [&](const WaitingJob& job) {
    return std::ranges::find(held_, job.job, &Reservation::job) != held_.end();
  });
}

/// Jobs that come after others, which are not over.
void Backfilling::leave_out_followers(const StartRules& rules) {
  std::erase_if(jobs_, [&](const WaitingJob& job) {
    return std::ranges::any_of(rules.after(job.job),
                               [&](const auto& link) { return !state_.table.finished(link.second); });
  });
}

void Backfilling::count_tasks(const StartRules& rules) {
  tasks_.assign(rules.at_once().size(), 0);
  for (const JobId job : state_.running.job) {
    if (const auto array = rules.array_of(job)) ++tasks_[*array];
  }
}

bool Backfilling::array_full(const WaitingJob& job) const {
  if (tasks_.empty()) return false;
  const auto array = state_.world.starts->array_of(job.job);
  return array && tasks_[*array] >= state_.world.starts->at_once()[*array];
}

void Backfilling::list_running() {
  for (std::uint32_t slot = 0; slot < state_.running.size(); ++slot) {
    const JobId job = state_.running.job[slot];
    const GpuSet& held = state_.running.allocation[slot].gpus;
    // Not the difference of two times, which may be a little over a whole minute.
    const double length = expected_.left_s(job, held);
    running.push_back({job, state_.table.course(job).held_since_s, length, expected_.end_s(slot) <= now_s, &held});
  }
}

void Backfilling::list_releases() {
  for (std::uint32_t slot = 0; slot < state_.running.size(); ++slot) {
    double end_s = expected_.end_s(slot);
    if (end_s <= now_s) {
      end_s = expected_.extended_s(now_s);
      inconsistent = true;
    }
    releases.push_back({end_s, state_.running.demand[slot].gpus});
  }
}

void Backfilling::decide(const View& view, Transaction& transaction, std::span<const JobId> ordered) {
  now_s = view.now_s;
  free = state_.free.total();
  transaction_ = &transaction;
  kept_.reset();
  plan(ordered);
  policy_.decide(*this);
  ended = inconsistent = false;
}

StartedJob Backfilling::start(const WaitingJob& job) {
  before_ = transaction_->savepoint();
  if (job.gpus > free || !transaction_->place(job.job)) return {};
  const GpuSet& gpus = transaction_->last_placement();
  const double length = expected_.by_gpus() ? length_s(expected_.left_s(job.job, gpus)) : job.length_s;
  StartedJob started{true, now_s + length, job.gpus};
  if (kept_) {
    started.reserved = 0;
    for_each_gpu(state_.topology(), gpus,
                 [&](std::uint32_t gpu) { started.reserved += kept_bin(kept_->cls, gpu) ? 1 : 0; });
  }
  free -= job.gpus;
  releases.push_back({started.end_s, job.gpus});
  if (!tasks_.empty()) {
    if (const auto array = state_.world.starts->array_of(job.job)) ++tasks_[*array];
  }
  if (policy_.plans_nodes()) {
    running.push_back({job.job, now_s, length, false, &started_gpus_.emplace_back(gpus)});
  }
  return started;
}

void Backfilling::undo() {
  transaction_->rollback(before_);
  free += releases.back().gpus;
  releases.pop_back();
}

void Backfilling::promise(const Promise& promise) {
  if (promise.start_s == infinity) return;
  const auto at = promise_of(promise.job);
  if (at == promises_.end() || at->job != promise.job) promises_.insert(at, {promise.job, 0, promise.start_s, 0});
}

bool Backfilling::kept_bin(ClassId cls, std::uint32_t gpu) const {
  return state_.free.bins().of(cls).of_gpu[gpu] <= kept_->last;
}

/// Of the GPUs that are free at `start_s`, those of jobs started at this instant included, where they end by then.
std::uint32_t Backfilling::keep(const WaitingJob& job, double start_s) {
  std::uint32_t all = free;
  for (const Release& release : releases) all += release.time_s <= start_s ? release.gpus : 0;
  if (!state_.world.engine.reserves_bins || all < job.gpus) return all;
  const ClassId cls = state_.job(job.job).cls;
  const auto& bins = state_.free.bins().of(cls);
  std::vector<std::uint32_t> in_bin(bins.values.size(), 0);
  const auto add = [&](const GpuSet& gpus) {
    for_each_gpu(state_.topology(), gpus, [&](std::uint32_t gpu) { ++in_bin[bins.of_gpu[gpu]]; });
  };
  for (std::uint32_t n = 0; n < state_.topology().nodes(); ++n) {
    if (const GpuMask mask = state_.free.mask(NodeId(n)); mask != 0) add({{NodeId(n), mask}});
  }
  for (std::uint32_t slot = 0; slot < state_.running.size(); ++slot) {
    const double end_s = expected_.end_s(slot);
    if ((end_s <= now_s ? expected_.extended_s(now_s) : end_s) <= start_s) add(state_.running.allocation[slot].gpus);
  }
  for (const Placement& placement : transaction_->placements()) {
    if (now_s + length_s(expected_.left_s(placement.job, placement.gpus)) <= start_s) add(placement.gpus);
  }
  kept_.emplace(KeptBins{cls, 0});
  std::uint32_t kept = in_bin[0];
  while (kept < job.gpus) kept += in_bin[++kept_->last];
  return kept;
}

double Backfilling::next_eligible_s() const {
  double next_s = infinity;
  for (const Reservation& held : held_) next_s = std::min(next_s, held.start_s);
  return next_s;
}

double Backfilling::next_change_s(double now) const {
  double next_s = policy_.next_change_s(now, reservations);
  next_s = std::min(next_s, std::max(next_eligible_s(), now));
  if (next_s <= now) return now;
  for (std::uint32_t slot = 0; slot < state_.running.size(); ++slot) {
    const double end_s = expected_.end_s(slot);
    if (end_s <= now) return now;
    next_s = std::min(next_s, end_s);
  }
  return next_s;
}

}  // namespace palstudy
