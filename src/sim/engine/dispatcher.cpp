// SPDX-License-Identifier: MIT
#include "sim/engine/dispatcher.hpp"

#include <algorithm>
#include <utility>

#include "core/large_array.hpp"
#include "sim/state/state_archive.hpp"

namespace palstudy {

Dispatcher::Dispatcher(PartitionState& state, Scheduler& scheduler, Intervals::Effects effects,
                       Intervals::Observers observers)
    : state_(state),
      scheduler_(scheduler),
      wants_events_(scheduler.wants_events()),
      intervals_(state, std::move(effects), std::move(observers)) {}

void Dispatcher::instant(double now_s) {
  intervals_.instant(now_s);
  RunningSet& running = state_.running;
  due_.clear();
  running.finish.due(now_s, due_);
  endings_.clear();  // by job, since slots change as jobs are removed
  for (const std::uint32_t slot : due_) {
    const JobId job = running.job[slot];
    EndReason reason = EndReason::finished;
    for (const auto& effect : effects()) {
      if (reason == EndReason::finished) reason = effect->end_reason(job);
    }
    endings_.push_back({running.finish.at(slot), reason, job});
    running.fetch(slot);
    state_.rows.fetch(job);
    state_.table.fetch_state(job);
  }
  std::sort(endings_.begin(), endings_.end());
}

bool Dispatcher::complete(double now_s) {
  for (const Due& due : endings_) end_job(now_s, due);
  return !endings_.empty();
}

void Dispatcher::end_job(double now_s, const Due& due) {
  const auto& [time_s, reason, job] = due;
  const bool again = reason == EndReason::failed_again;
  RunningSet& running = state_.running;
  const std::uint32_t slot = running.slot_of(job), width = running.demand[slot].gpus;
  intervals_.end(time_s, slot, reason);
  again ? leave(time_s, slot) : keep_sums(slot);
  const GpuSet& gpus = running.allocation[slot].gpus;
  for (const NodeGpus& part : gpus) state_.free.give(part);
  give(job, gpus);
  const JobChange change = again ? JobChange::failed : JobChange::ended;
  notify(change, job, now_s, &gpus);
  running.remove(slot);
  if (again) {
    recorder().event(time_s, EventKind::stop, job, {});
    for (const auto& effect : effects()) effect->waits_again(job, now_s);
    state_.table.change(job, change);
    state_.queue.wait_again(job, now_s);
    if (state_.causes) state_.causes->enqueue(job, now_s);
    return;
  }
  for (const auto& effect : effects()) effect->job_ended(job, time_s, reason);
  recorder().finish(time_s, job);
  state_.table.change(job, change);
  state_.queue.finish(job, width);
}

bool Dispatcher::admit(JobId job, double now_s) {
  for (const auto& effect : effects()) {
    if (effect->admits(job, now_s)) continue;
    recorder().end_waiting(now_s, job);
    state_.table.change(job, JobChange::turned_away);  // no scheduler ever hears of it
    return false;
  }
  if (state_.causes) state_.causes->enqueue(job, now_s);
  notify(JobChange::arrived, job, now_s);
  state_.rows.fetch(job);
  state_.table.change(job, JobChange::arrived);
  state_.queue.admit(job, now_s);
  return true;
}

void Dispatcher::move_in(JobId job, double arrival_s) {
  for (const auto& effect : effects()) effect->moved_in(job, arrival_s);
  if (state_.causes) state_.causes->enqueue(job, arrival_s);
  notify(JobChange::moved_in, job, arrival_s);
  state_.table.change(job, JobChange::moved_in);
  state_.queue.move_in(job, arrival_s);
}

void Dispatcher::move_out(JobId job, double now_s) {
  if (state_.causes) state_.causes->set(job, DelayCause::none, now_s);
  notify(JobChange::moved_out, job, now_s);
  state_.queue.move_out(job);
  state_.table.change(job, JobChange::moved_out);
}

void Dispatcher::commit(double now_s, Transaction& transaction) {
  for (const auto& hold : transaction.ended_holds()) recorder().idle(hold.gpus, hold.since_s, hold.end_s);
  if (!transaction.changes() && !transaction.repacks()) return;
  stop_without_gpus(now_s, transaction);
  order_placements(transaction);
  launched_.clear();
  const auto placements = transaction.placements();
  for (const std::uint32_t i : order_) {
    Placement& placement = placements[i];
    if (!placement.weighed) {
      placement.slot = state_.running.slot_of(placement.job);
      transaction.weigh(placement, state_.job(placement.job).cls);
      transaction.forget_placed(placement);
    }
    if (placement.slot != RunningSet::no_slot) {
      state_.running.released[placement.slot] = 0;
      if (!placement.stays) move(now_s, placement);
      continue;
    }
    launched_.push_back(placement.job);
    launch(now_s, placement, moved_while_stopped(placement));
  }
  state_.queue.remove_launched(launched_);
}

bool Dispatcher::forget_last_gpus(const Placement& placement) {
  const auto last = last_gpus_.find(placement.job.value);
  if (last == last_gpus_.end()) return false;
  const bool moved = last->second != placement.gpus;
  last_gpus_.erase(last);
  return moved;
}

/// Stops running jobs that have been given no GPUs.
void Dispatcher::stop_without_gpus(double now_s, Transaction& transaction) {
  stops_.clear();
  if (transaction.repacks()) {
    for (const ActiveJob& job : transaction.active) {
      if (job.slot != RunningSet::no_slot && job.placement == 0) stops_.push_back({job.job, StopReason::order});
    }
  }
  for (const auto& release : transaction.releases()) {
    const std::uint32_t slot = state_.running.slot_of(release.job);
    if (transaction.released(slot) && !transaction.placed(release.job)) stops_.push_back(release);
  }
  std::sort(stops_.begin(), stops_.end(), [](const auto& a, const auto& b) { return a.job < b.job; });
  for (const auto& [job, reason] : stops_) {
    stop(now_s, job, reason == StopReason::reclaimed ? EndReason::reclaimed : EndReason::stopped);
  }
  if (stops_.empty()) return;
  for (Placement& placement : transaction.placements()) placement.slot = state_.running.slot_of(placement.job);
}

/// Fills `order_` by ascending job. A repacking has its jobs in that order already.
void Dispatcher::order_placements(Transaction& transaction) {
  order_.clear();
  if (transaction.repacks()) {
    for (const ActiveJob& job : transaction.active) {
      if (job.placement != 0) order_.push_back(job.placement - 1);
    }
    return;
  }
  const auto placements = transaction.placements();
  const auto before = [&](std::uint32_t a, std::uint32_t b) { return placements[a].job < placements[b].job; };
  for (std::uint32_t i = 0; i < placements.size(); ++i) order_.push_back(i);
  if (!std::is_sorted(order_.begin(), order_.end(), before)) std::sort(order_.begin(), order_.end(), before);
}

/// When work begins on GPUs that a job has just got.
double Dispatcher::start_s(double now_s, JobId job, bool launched_before, const GpuSet& gpus) const {
  double start_s = work_begins_s(state_.world.engine, launched_before, now_s);
  for (const auto& effect : effects()) start_s += effect->delay_s(job, gpus);
  return start_s;
}

void Dispatcher::launch(double now_s, Placement& placement, bool moved) {
  const JobId job = placement.job;
  const double from_s = start_s(now_s, job, state_.rows.ever_launched(job), placement.gpus);
  recorder().launch(now_s, job, state_.sizes.empty() ? state_.job(job).gpus : count(placement.gpus), placement.gpus,
                    moved);
  if (state_.causes) state_.causes->set(job, DelayCause::none, now_s);
  notify(JobChange::started, job, now_s);
  state_.table.change(job, JobChange::started);
  state_.queue.launch();
  if (!state_.sizes.empty()) resize(placement);
  for (const auto& effect : effects()) effect->on_take(job, placement.gpus);
  state_.table.course(job).held_since_s = now_s;
  const std::uint32_t slot = add_running(job, placement.gpus);
  intervals_.begin(now_s, slot, from_s, placement.factors);
  began(slot);
}

void Dispatcher::move(double now_s, Placement& placement) {
  RunningSet& running = state_.running;
  const std::uint32_t slot = placement.slot;
  assert(state_.table.can(placement.job, state_.sizes.empty() ? JobChange::moved : JobChange::resized));
  intervals_.end(now_s, slot, EndReason::moved);
  if (!state_.sizes.empty()) {
    resize(placement);
    running.demand[slot].gpus = state_.width(placement.job);
  }
  recorder().move(now_s, placement.job, running.demand[slot].gpus, placement.gpus, running.allocation[slot].sums);
  give(placement.job, running.allocation[slot].gpus);
  std::swap(running.allocation[slot].gpus, placement.gpus);
  for (const auto& effect : effects()) effect->on_take(placement.job, running.allocation[slot].gpus);
  // Its row, which says so too, lies far from what else is read here.
  const double from_s = start_s(now_s, placement.job, /*launched_before=*/true, running.allocation[slot].gpus);
  intervals_.begin(now_s, slot, from_s, placement.factors);
  began(slot);
}

/// An elastic job has the size of its placement from now on.
void Dispatcher::resize(const Placement& placement) {
  const JobSize size{count(placement.gpus), placement.batch};
  state_.queue.resize(placement.job, size.gpus);
  state_.sizes[placement.job.index()] = size;
}

void Dispatcher::stop(double now_s, JobId job, EndReason reason) {
  const std::uint32_t slot = state_.running.slot_of(job);
  intervals_.end(now_s, slot, reason);
  leave(now_s, slot);
  give(job, state_.running.allocation[slot].gpus);
  std::swap(last_gpus_[job.value], state_.running.allocation[slot].gpus);
  state_.running.remove(slot);
  notify(JobChange::stopped, job, now_s);
  state_.table.change(job, JobChange::stopped);
  // The published simulator does not count the round in which a job is stopped.
  const EngineOptions& engine = state_.world.engine;
  state_.queue.wait_again(job, engine.start == Start::round ? now_s + engine.round_s : now_s);
  if (state_.causes) state_.causes->enqueue(job, now_s);
  recorder().stop(now_s, job);
}

/// Takes the GPUs, leaving the set an old buffer.
std::uint32_t Dispatcher::add_running(JobId job, GpuSet& gpus) {
  RunningSet& running = state_.running;
  const std::uint32_t slot = running.add(job, gpus);
  const Job& asked = state_.job(job);
  running.demand[slot] = {state_.width(job), asked.cls};
  running.progress[slot].iterations = asked.iterations;
  running.progress[slot].iteration_s = asked.iteration_s;
  running.allocation[slot].sums = state_.rows.records[job.index()].sums;
  running.measured[slot] = state_.rows.measured(job) ? 1 : 0;
  running.progress[slot].segment.work = state_.table.course(job).work_done;
  return slot;
}

void Dispatcher::keep_sums(std::uint32_t slot) {
  state_.rows.records[state_.running.job[slot].index()].sums = state_.running.allocation[slot].sums;
}

void Dispatcher::write_back(std::uint32_t slot) {
  keep_sums(slot);
  state_.table.course(state_.running.job[slot]).work_done = state_.running.progress[slot].segment.work;
}

void Dispatcher::write_back() {
  state_.running.restore_order();
  for (std::uint32_t slot = 0; slot < state_.running.size(); ++slot) write_back(slot);
}

/// A job that is not over has no GPUs from `end_s` on; its last interval has been recorded.
void Dispatcher::leave(double end_s, std::uint32_t slot) {
  write_back(slot);
  JobCourse& course = state_.table.course(state_.running.job[slot]);
  course.attained_before_s += end_s - course.held_since_s;
}

void Dispatcher::began(std::uint32_t slot) {
  for (const auto& effect : effects()) effect->began(slot);
}

void Dispatcher::give(JobId job, const GpuSet& gpus) {
  for (const auto& effect : effects()) effect->on_give(job, gpus);
}

bool Dispatcher::advance_effects(double now_s) {
  changes_.clear();
  for (const auto& effect : effects()) effect->advance(now_s, changes_);
  return carry_out(now_s);
}

void Dispatcher::settle_effects(double now_s) {
  changes_.clear();
  for (const auto& effect : effects()) effect->settle(now_s, changes_);
  (void)carry_out(now_s);
}

bool Dispatcher::carry_out(double now_s) {
  intervals_.nodes_left(changes_);
  for (const NodeId node : changes_.down) take_down(now_s, node);
  for (const NodeId node : changes_.draining) state_.free.withdraw(node);
  for (const NodeId node : changes_.up) state_.free.restore(node);
  const bool capacity = changes_.of_nodes();
  if (capacity) {
    state_.free_set_changed = true;
    scheduler_.capacity_changed();
  }
  for (const JobId job : changes_.rates) intervals_.change_rate(now_s, job);
  return capacity;
}

/// The jobs on a node stop, by ascending id, and its GPUs are gone.
void Dispatcher::take_down(double now_s, NodeId node) {
  if (state_.free.mask(node) == state_.topology().full(node)) return state_.free.withdraw(node);
  std::vector<JobId> jobs;
  RunningSet& running = state_.running;
  for (std::uint32_t slot = 0; slot < running.size(); ++slot) {
    const GpuSet& gpus = running.allocation[slot].gpus;
    const bool there = std::any_of(gpus.begin(), gpus.end(), [&](const NodeGpus& part) { return part.node == node; });
    if (there) jobs.push_back(running.job[slot]);
  }
  std::sort(jobs.begin(), jobs.end());
  for (const JobId job : jobs) {
    for (const NodeGpus& part : running.allocation[running.slot_of(job)].gpus) state_.free.give(part);
    stop(now_s, job, EndReason::stopped);
  }
  state_.free.withdraw(node);
}

double Dispatcher::next_event_s() const {
  double next_s = std::numeric_limits<double>::infinity();
  for (const auto& effect : effects()) next_s = std::min(next_s, effect->next_event_s());
  return next_s;
}

std::size_t Dispatcher::effect_rows() const {
  std::size_t rows = 0;
  for (const auto& effect : effects()) rows += effect->rows();
  return rows;
}

void Dispatcher::check(double now_s) const {
  for (const auto& effect : effects()) effect->check(now_s);
}

PartitionRecord Dispatcher::close(double end_s, double horizon_s, const std::vector<JobId>& order) {
  for (const JobId job : order) intervals_.end(end_s, state_.running.slot_of(job), EndReason::closed);
  write_back();
  std::vector<HeldPart>& idle = state_.idle_parts;
  while (!idle.empty()) {
    const JobId job = idle.front().job;
    for (const HeldPart& part : idle) {
      if (part.job == job) recorder().idle(part.gpus, part.since_s, end_s);
    }
    std::erase_if(idle, [&](const HeldPart& part) { return part.job == job; });
  }
  return intervals_.close(end_s, horizon_s);
}

/// The running jobs, in their iteration order, which is that of the slots now.
template <class Archive>
void Dispatcher::serialize_running(Archive& archive) {
  RunningSet& running = state_.running;
  std::vector<JobId> jobs = running.job;
  std::vector<GpuSet> gpus(jobs.size());
  std::vector<double> finish_s(jobs.size());
  for (std::size_t slot = 0; slot < jobs.size(); ++slot) {
    gpus[slot] = running.allocation[slot].gpus;
    finish_s[slot] = running.finish.at(slot);
  }
  (archive & jobs & gpus & finish_s);
  if constexpr (Archive::is_loading::value) {
    require_same(jobs.size(), gpus.size());
    require_same(jobs.size(), finish_s.size());
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      for (const NodeGpus& part : gpus[i]) state_.free.take(part);
      running.finish.set(add_running(jobs[i], gpus[i]), finish_s[i]);
    }
  }
  first_of(archive, running.size(), running.progress);
  first_of(archive, running.size(), running.released);
  if (!running.stall.empty()) first_of(archive, running.size(), running.stall);
  if (Archive::is_saving::value || !state_.tracks_belief) return;
  for (std::uint32_t slot = 0; slot < running.size(); ++slot) {
    running.believed[slot] = state_.believed_cost(running.job[slot], running.allocation[slot].gpus);
  }
}

/// The GPUs that stopped jobs had, of the jobs that wait, so that the order is not that of the table.
template <class Archive>
void Dispatcher::serialize_stopped(Archive& archive) {
  std::vector<std::pair<std::uint32_t, GpuSet>> stopped;
  for (const JobId job : state_.queue.waiting()) {
    const auto last = last_gpus_.find(job.value);
    if (last != last_gpus_.end()) stopped.emplace_back(*last);
  }
  (archive & stopped);
  for (auto& [job, gpus] : stopped) last_gpus_[job] = std::move(gpus);
}

template void Dispatcher::serialize_running(StateOut&);
template void Dispatcher::serialize_running(StateIn&);
template void Dispatcher::serialize_stopped(StateOut&);
template void Dispatcher::serialize_stopped(StateIn&);

}  // namespace palstudy
