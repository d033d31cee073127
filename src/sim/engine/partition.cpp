// SPDX-License-Identifier: MIT
#include "sim/engine/partition.hpp"

#include <algorithm>
#include <cassert>

#include "core/large_array.hpp"

namespace palstudy {

Partition::Partition(const World& world, PartitionSite site, const OrderPolicy& order, PlacementPolicy& placement,
                     JobStates& states, RunRows& rows)
    : world_(world),
      order_(order),
      placement_(placement),
      site_(std::move(site)),
      rows_(rows),
      recorder_(world, rows, site_.topology, site_.first_gpu),
      progress_(world.engine.completion, world.engine.round_s),
      rates_(world, site_.topology, world.partitioning.first_node(site_.id), site_.first_gpu),
      free_(site_.topology, site_.bins, placement.needs()),
      table_(states.table),
      attempts_(states.attempts),
      running_(states.slot_of, {placement.moves_running(), world.interference.on()}),
      queue_(world.workload.jobs, states.table, world.engine.starvation_s),
      choice_of_(states.choice_of),
      least_(free_) {
  if (world.interference.on()) neighbours_.emplace(world.interference, site_.topology.nodes());
  if (world.tenants != nullptr) tenancy_ = std::make_unique<Tenancy>(*world.tenants, world.workload, site_.topology);
}

View Partition::view(double now_s) const {
  const std::uint32_t gpus = site_.topology.gpus() - held_gpus_;
  return {now_s, world_.engine.round_s, gpus, world_.workload.jobs, table_, world_.believed_penalty};
}

void Partition::instant(double now_s) {
  recorder_.instant(now_s);
  due_.clear();
  running_.finish.due(now_s, due_);
  endings_.clear();  // by job, since slots change as jobs are removed
  for (const std::uint32_t slot : due_) {
    const JobId job = running_.job[slot];
    endings_.push_back({running_.finish.at(slot), fails_at_end(job) && tried_again(job), job});
    running_.fetch(slot);
    rows_.fetch(job);
    prefetch(table_.state[job.index()]);
  }
  std::sort(endings_.begin(), endings_.end());
}

void Partition::complete(double now_s) {
  for (const auto& [finish_s, again, job] : endings_) {
    const std::uint32_t slot = running_.slot_of(job);
    const bool failed = fails_at_end(job);
    failed ? end_failed_stretch(finish_s, slot) : end_stretch(finish_s, slot);
    if (again) {
      leaves(finish_s, slot);
    } else {
      keep_sums(slot);
    }
    for (const NodeGpus& part : running_.holds[slot].gpus) free_.give(part);
    part_from(job, running_.holds[slot].gpus);
    unseal(job, running_.holds[slot].gpus);
    running_.remove(slot);
    if (tenancy_) tenancy_->book.ends(job);
    if (again) {
      recorder_.fail(finish_s, job);
      (void)validate(now_s, job, true);
      queue_.wait_again(job, now_s);
      queue_with_tenant(now_s, job);
      previous_order_.clear();  // a walk afresh that finds the same jobs in the same order has to launch it
      continue;
    }
    if (fails()) set_status(finish_s, job, failed);
    recorder_.finish(finish_s, job);
    table_.state[job.index()] = JobState::finished;
    queue_.finish(job);
  }
}

void Partition::admit(JobId job, double now_s) {
  queue_with_tenant(now_s, job);
  if (fails() && turned_away(now_s, job)) return;
  rows_.fetch(job);
  queue_.admit(job, now_s);
}

void Partition::queue_with_tenant(double now_s, JobId job) {
  if (tenancy_) tenancy_->book.waits(job, now_s, boundary_at_or_after(now_s, world_.engine.round_s));
}

/// Whether a schedule could change nothing.
bool Partition::idle() const {
  if (!placement_.sticky()) return queue_.empty() && running_.size() == 0;
  return (queue_.empty() || reserved_) && !may_improve();
}

void Partition::schedule(double now_s, bool reserved) {
  reserved_ = reserved;
  if (!idle()) walk(now_s, reserved);
  settle_neighbours(now_s);
  recorder_.state(now_s, queued(), running(), free_gpus(), demand_gpus());
}

/// Decides who gets which GPUs, and does it.
void Partition::walk(double now_s, bool reserved) {
  queue_.mark_starved(now_s);
  const View now = view(now_s);
  put_in_order(now, reserved);
  chosen_ = 0;
  released_jobs_.clear();
  if (placement_.sticky()) {
    if (tenancy_) {
      walk_tenants(now);
    } else {
      walk_sticky(now);
    }
    walk_improve(now);
    commit(now_s, false);
  } else if (!same_jobs_as_before() || !placement_.repeatable()) {
    walk_afresh(now);
    commit(now_s, true);
  }
  if (tenancy_) note_delays(now_s);
}

/// Whether a choice changes anything, and what an iteration takes there. Asked in the midst of a walk that goes class
/// by class, it finds the slowdowns of the class still in cache.
void Partition::weigh(Choice& choice, ClassId cls) {
  choice.weighed = true;
  choice.stays = choice.slot != RunningSet::no_slot && running_.holds[choice.slot].gpus == choice.gpus;
  if (!choice.stays) choice.factors = rates_.factors(choice.job, cls, choice.gpus);
}

/// Turns the decisions of the walk into stops, moves and launches, each by ascending id.
void Partition::commit(double now_s, bool afresh) {
  stop_those_left_without(now_s, afresh);
  put_choices_in_order(afresh);
  launched_.clear();
  for (const std::uint32_t i : choice_order_) {
    Choice& choice = choices_[i];
    if (!choice.weighed) {
      choice.slot = running_.slot_of(choice.job);
      weigh(choice, world_.workload.jobs[choice.job.index()].cls);
      choice_of_[choice.job.index()] = 0;
    }
    if (const std::uint32_t slot = choice.slot; slot != RunningSet::no_slot) {
      running_.released[slot] = 0;
      if (!choice.stays) move(now_s, slot, choice);
      continue;
    }
    launched_.push_back(choice.job);
    launch(now_s, choice, moved_while_stopped(choice));
  }
  queue_.remove_launched(launched_);
}

/// Whether a job that waits has had other GPUs before, which are forgotten now.
bool Partition::moved_while_stopped(const Choice& choice) {
  if (last_gpus_.empty()) return false;
  const auto last = last_gpus_.find(choice.job.value);
  if (last == last_gpus_.end()) return false;
  const bool moved = last->second != choice.gpus;
  last_gpus_.erase(last);
  return moved;
}

/// Stops running jobs that the walk has given no GPUs.
void Partition::stop_those_left_without(double now_s, bool afresh) {
  stops_.clear();
  if (afresh) {
    for (const Contender& of : contenders_) {
      if (of.slot != RunningSet::no_slot && of.choice == 0) stops_.push_back(of.job);
    }
  }
  for (const JobId job : released_jobs_) {
    if (running_.released[running_.slot_of(job)] != 0 && choice_of_[job.index()] == 0) stops_.push_back(job);
  }
  std::sort(stops_.begin(), stops_.end());
  for (const JobId job : stops_) stop(now_s, job);
  if (stops_.empty()) return;
  for (std::size_t i = 0; i < chosen_; ++i) choices_[i].slot = running_.slot_of(choices_[i].job);  // slots have changed
}

/// Fills `choice_order_` by ascending job. A walk afresh has its jobs in that order already.
void Partition::put_choices_in_order(bool afresh) {
  choice_order_.clear();
  if (afresh) {
    for (const Contender& of : contenders_) {
      if (of.choice != 0) choice_order_.push_back(of.choice - 1);
    }
    return;
  }
  const auto before = [&](std::uint32_t a, std::uint32_t b) { return choices_[a].job < choices_[b].job; };
  for (std::uint32_t i = 0; i < chosen_; ++i) choice_order_.push_back(i);
  if (!std::is_sorted(choice_order_.begin(), choice_order_.end(), before)) {
    std::sort(choice_order_.begin(), choice_order_.end(), before);
  }
}

void Partition::launch(double now_s, Choice& choice, bool moved) {
  const JobId job = choice.job;
  const bool first = !rows_.ever_launched(job);
  recorder_.launch(now_s, job, choice.gpus, moved);
  table_.state[job.index()] = JobState::running;
  if (tenancy_) tenancy_->book.starts(job, now_s);
  queue_.launch(job);
  if (fails()) begin_attempt(job, choice.gpus);
  table_.course[job.index()].held_since_s = now_s;
  const std::uint32_t slot = add_running(job, choice.gpus);
  meet(job, running_.holds[slot].gpus);
  begin_segment(now_s, slot, first ? now_s : now_s + world_.engine.migration_s, choice.factors);
  begin_saving(slot);
}

void Partition::move(double now_s, std::uint32_t slot, Choice& choice) {
  end_stretch(now_s, slot);
  recorder_.move(now_s, choice.job, running_.wants[slot].gpus, choice.gpus, running_.holds[slot].sums);
  part_from(choice.job, running_.holds[slot].gpus);
  std::swap(running_.holds[slot].gpus, choice.gpus);
  meet(choice.job, running_.holds[slot].gpus);
  begin_segment(now_s, slot, now_s + world_.engine.migration_s, choice.factors);
  begin_saving(slot);
}

/// Takes the GPUs, leaving the set an old buffer.
std::uint32_t Partition::add_running(JobId job, GpuSet& gpus) {
  const std::uint32_t slot = running_.add(job, gpus);
  const Job& asked = world_.workload.jobs[job.index()];
  running_.wants[slot] = {asked.gpus, asked.cls};
  running_.pace[slot].iterations = asked.iterations;
  running_.pace[slot].iteration_s = asked.iteration_s;
  running_.holds[slot].sums = rows_.records[job.index()].sums;
  running_.measured[slot] = rows_.measured(job) ? 1 : 0;
  running_.pace[slot].segment.work = table_.course[job.index()].work_done;
  return slot;
}

void Partition::keep_sums(std::uint32_t slot) {
  rows_.records[running_.job[slot].index()].sums = running_.holds[slot].sums;
}

void Partition::write_back(std::uint32_t slot) {
  keep_sums(slot);
  table_.course[running_.job[slot].index()].work_done = running_.pace[slot].segment.work;
}

void Partition::write_back() {
  running_.line_up();
  for (std::uint32_t slot = 0; slot < running_.size(); ++slot) write_back(slot);
}

/// A job that is not over has no GPUs from `end_s` on; its last stretch is settled.
void Partition::leaves(double end_s, std::uint32_t slot) {
  write_back(slot);
  JobCourse& course = table_.course[running_.job[slot].index()];
  course.attained_before_s += end_s - course.held_since_s;
}

/// Work begins at `from_s`, where the last segment ended; what neighbours cost is in the penalty.
void Partition::begin_segment(double now_s, std::uint32_t slot, double from_s, const Factors& factors) {
  Pace& pace = running_.pace[slot];
  const double beside = neighbours_ ? running_.interference[slot] : 1;
  const Rate rate{factors.slowdown, factors.penalty * beside, pace.iteration_s};
  pace.slowdown = rate.slowdown;
  pace.penalty = rate.penalty;
  pace.launched_s = now_s;
  pace.segment = {from_s, pace.segment.work, rate.seconds_per_iteration()};
  running_.finish.set(slot, progress_.finish_s(pace.segment, work_until(slot)));
  if (fails()) limit_to_attempt(slot);
  touch(slot);
}

/// Settles what a job did on the GPUs that it holds no longer.
void Partition::end_stretch(double end_s, std::uint32_t slot) {
  Segment& segment = running_.pace[slot].segment;
  const double work = end_s >= running_.finish.at(slot) ? work_until(slot) : progress_.work_at(segment, end_s);
  if (fails()) settle_attempt(end_s, slot, work);
  record_stretch(slot, running_.pace[slot].launched_s, end_s, work - segment.work);
  note_place(end_s, slot);
  segment.work = work;
  touched_ = true;
}

/// `work` iterations were made in a stretch, and kept.
void Partition::record_stretch(std::uint32_t slot, double begin_s, double end_s, double work) {
  const Pace& pace = running_.pace[slot];
  recorder_.stretch({running_.job[slot], begin_s, end_s, pace.slowdown, pace.penalty, work * pace.iteration_s,
                     running_.wants[slot].gpus, running_.measured[slot] != 0},
                    running_.holds[slot].gpus, running_.holds[slot].sums);
}

void Partition::stop(double now_s, JobId job) {
  const std::uint32_t slot = running_.slot_of(job);
  reclaimed() ? end_reclaimed_stretch(now_s, slot) : end_stretch(now_s, slot);
  leaves(now_s, slot);
  part_from(job, running_.holds[slot].gpus);
  std::swap(last_gpus_[job.value], running_.holds[slot].gpus);
  running_.remove(slot);
  // The published simulator does not count the round in which a job is stopped.
  queue_.wait_again(job, world_.engine.start == Start::round ? now_s + world_.engine.round_s : now_s);
  if (tenancy_) tenancy_->book.ends(job);
  queue_with_tenant(now_s, job);
  recorder_.stop(now_s, job);
}

PartitionRecord Partition::close(double end_s, double horizon_s) {
  for (const JobId job : running_.roll()) end_stretch(end_s, running_.slot_of(job));
  write_back();
  DelayRows delays;
  if (tenancy_) delays = close_tenancy(end_s);
  PartitionRecord record = recorder_.take(end_s, horizon_s);
  record.delays = std::move(delays);
  const IndexCounts index = index_counts();
  record.counts = {0, placements_, index.queries, index.updates, index.moves};
  return record;
}

}  // namespace palstudy
