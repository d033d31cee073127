// SPDX-License-Identifier: MIT
#include "sim/engine/intervals.hpp"

#include <algorithm>
#include <utility>

namespace palstudy {

Intervals::Intervals(PartitionState& state, Effects effects, Observers observers)
    : state_(state),
      effects_(std::move(effects)),
      observers_(std::move(observers)),
      recorder_(state.world, state.rows, state.topology(), state.resources.first_gpu) {}

/// Iterations after which a running job is over.
double Intervals::work_limit(std::uint32_t slot) const {
  double work = state_.running.progress[slot].iterations;
  for (const auto& effect : effects_) work = effect->work_limit(state_.running.job[slot], work);
  return work;
}

Rate Intervals::rate(std::uint32_t slot, const SlowdownAndPenalty& factors) const {
  Rate rate{factors.slowdown, factors.penalty, state_.running.progress[slot].iteration_s};
  for (const auto& effect : effects_) {
    effect->adjust(state_.running.job[slot], state_.running.allocation[slot].gpus, rate);
  }
  return rate;
}

/// Work begins at `from_s`, where the last segment ended.
void Intervals::begin(double now_s, std::uint32_t slot, double from_s, const SlowdownAndPenalty& factors) {
  RunningSet& running = state_.running;
  JobProgress& progress = running.progress[slot];
  const Rate now = rate(slot, factors);
  if (!running.stall.empty()) running.stall[slot] = now.stall;
  progress.iteration_s = now.iteration_s;
  progress.slowdown = now.slowdown;
  progress.penalty = now.stalled_penalty();
  progress.launched_s = now_s;
  progress.segment = {from_s, progress.segment.work, now.seconds_per_iteration()};
  running.finish.set(slot, state_.work.finish_s(progress.segment, work_limit(slot)));
  for (const auto& effect : effects_) running.finish.set(slot, effect->end_s(slot, running.finish.at(slot)));
  state_.free_set_changed = true;
  if (state_.tracks_belief) {
    running.believed[slot] = state_.believed_cost(running.job[slot], running.allocation[slot].gpus);
  }
}

/// The work that a job did on GPUs at one rate, which it has no longer.
void Intervals::end(double end_s, std::uint32_t slot, EndReason reason) {
  const RunningSet& running = state_.running;
  JobProgress& progress = state_.running.progress[slot];
  Segment& segment = progress.segment;
  double work = end_s >= running.finish.at(slot) ? work_limit(slot) : state_.work.work_at(segment, end_s);
  if (effects_.empty() && observers_.empty()) {
    record(slot, progress.launched_s, end_s, work - segment.work);
  } else {
    EndedInterval interval{slot, running.job[slot], reason, progress.launched_s, end_s, segment.work, work, end_s};
    end_with_effects(interval);
    work = interval.work;
  }
  segment.work = work;
  state_.free_set_changed = true;
}

void Intervals::end_with_effects(EndedInterval& interval) {
  const std::uint32_t slot = interval.slot;
  for (const auto& effect : effects_) effect->ends(interval);
  interval.split([&](double from_s, double to_s, double work) {
    if (from_s > interval.begin_s) recorder_.go_on(from_s, state_.running.demand[slot].gpus);
    record(slot, from_s, to_s, work);
  });
  const RunningSet& running = state_.running;
  const bool slowed = !running.stall.empty() && running.stall[slot] != 1;
  for (const auto& observer : observers_) observer->ran(interval, running.allocation[slot].gpus, slowed);
  for (const auto& effect : effects_) effect->ended(interval);
}

/// `work` iterations were made in an interval, and kept.
void Intervals::record(std::uint32_t slot, double begin_s, double end_s, double work) {
  RunningSet& running = state_.running;
  const JobProgress& progress = running.progress[slot];
  recorder_.interval({running.job[slot], begin_s, end_s, progress.slowdown, progress.penalty,
                      work * progress.iteration_s, running.demand[slot].gpus, running.measured[slot] != 0},
                     running.allocation[slot].gpus, running.allocation[slot].sums);
}

/// A running job goes on at another rate on the same GPUs; a migration that is under way goes on.
void Intervals::change_rate(double now_s, JobId job) {
  RunningSet& running = state_.running;
  const std::uint32_t slot = running.slot_of(job);
  if (slot == RunningSet::no_slot) return;
  const SlowdownAndPenalty factors = state_.rates.factors(job, running.demand[slot].cls, running.allocation[slot].gpus);
  const Rate next = rate(slot, factors);
  const JobProgress& progress = running.progress[slot];
  const bool same_stall = running.stall.empty() || next.stall == running.stall[slot];
  if (same_stall && next.seconds_per_iteration() == progress.segment.seconds_per_iteration) return;
  const double from_s = std::max(now_s, progress.segment.from_s);
  const bool changed = state_.free_set_changed;
  if (progress.launched_s < now_s) {
    end(now_s, slot, EndReason::rate);
    recorder_.go_on(now_s, running.demand[slot].gpus);
  }
  begin(now_s, slot, from_s, factors);
  state_.free_set_changed = changed;  // no GPUs were taken or given
}

void Intervals::instant(double now_s) {
  recorder_.instant(now_s);
  for (const auto& observer : observers_) observer->instant();
}

void Intervals::part_taken(JobId job, const GpuSet& part) {
  for (const auto& effect : effects_) effect->part_taken(job, part);
}

void Intervals::part_ran(const EndedInterval& interval, const HeldPart& part) {
  recorder_.held(part.gpus, interval.end_s - interval.begin_s);
  for (const auto& observer : observers_) observer->part_ran(interval, part);
}

void Intervals::part_given(JobId job, const GpuSet& part) {
  for (const auto& effect : effects_) effect->part_given(job, part);
}

double Intervals::part_feels(JobId job, const GpuSet& part) const {
  double most = 0;
  for (const auto& effect : effects_) most = std::max(most, effect->part_feels(job, part));
  return most;
}

void Intervals::feels(JobId job, double most) {
  for (const auto& effect : effects_) effect->feels(job, most);
}

void Intervals::nodes_left(const Changes& changes) {
  for (const NodeInterval& interval : changes.left) {
    for (const auto& observer : observers_) observer->node(interval);
  }
}

PartitionRecord Intervals::close(double end_s, double horizon_s) {
  PartitionRecord record = recorder_.take(end_s, horizon_s);
  Changes last;
  for (const auto& effect : effects_) effect->end_states(end_s, last);
  nodes_left(last);
  if (state_.causes) record.delays = state_.causes->close(end_s);
  for (const auto& effect : effects_) effect->close(record);
  for (const auto& observer : observers_) observer->close(record, end_s);
  return record;
}

Intervals::Effects make_effects(PartitionState& state, Attempts& attempts, EffectMaker::Make EffectMaker::*make) {
  std::vector<EffectMaker> registered;
  for (const auto& entry : effects().entries()) {
    if (entry.make.*make != nullptr && entry.make.used(state.world)) registered.push_back(entry.make);
  }
  std::stable_sort(registered.begin(), registered.end(),
                   [](const EffectMaker& a, const EffectMaker& b) { return a.place < b.place; });
  Intervals::Effects made;  // by place
  for (const EffectMaker& effect : registered) made.push_back((effect.*make)(state, attempts));
  for (const MakeEffect& more : state.world.effects) made.push_back(more(state));
  return made;
}

}  // namespace palstudy
