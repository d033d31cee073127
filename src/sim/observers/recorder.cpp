// SPDX-License-Identifier: MIT
#include "sim/observers/recorder.hpp"

#include <algorithm>
#include <cmath>

#include "cluster/byte_lanes.hpp"

namespace palstudy {

Recorder::Recorder(const World& world, RunRows& rows, const Topology& topology, GpuId first_gpu)
    : world_(world), rows_(rows), topology_(topology), first_gpu_(first_gpu) {
  record_.node_busy_s.assign(topology.nodes(), 0.0);
}

/// Adds the moment of the queue length about the middle of the window, over the time for which it has not changed.
void Recorder::queue_changes(double time_s, std::uint32_t queued) {
  if (queued == queued_) return;
  const double from = std::clamp(queued_since_s_, rows_.window_begin_s, rows_.window_end_s);
  const double to = std::clamp(time_s, rows_.window_begin_s, rows_.window_end_s);
  const double middle = 0.5 * (rows_.window_begin_s + rows_.window_end_s);
  record_.queue_moment += queued_ * 0.5 * ((to - middle) * (to - middle) - (from - middle) * (from - middle));
  queued_since_s_ = time_s;
  queued_ = queued;
}

void Recorder::jobs_change(double time_s, std::uint32_t jobs) {
  if (jobs == jobs_) return;
  record_.job_s += jobs_ * (time_s - jobs_since_s_);
  jobs_since_s_ = time_s;
  jobs_ = jobs;
}

void Recorder::add_event(double time_s, EventKind kind, JobId job, const GpuSet& gpus) {
  EventRows& events = record_.events;
  events.time_s.push_back(time_s);
  events.kind.push_back(kind);
  events.job.push_back(job);
  events.gpu_begin.push_back(events.gpus.size());
  for_each_gpu(topology_, gpus, [&](std::uint32_t gpu) { events.gpus.push_back(first_gpu_.value + gpu); });
  events.gpu_count.push_back(static_cast<std::uint32_t>(events.gpus.size() - events.gpu_begin.back()));
}

void Recorder::launch(double time_s, JobId job, std::uint32_t width, const GpuSet& gpus, bool moved) {
  JobRecord& record = rows_.records[job.index()];
  if (moved) ++record.sums.migrations;
  if (std::isnan(record.start_s)) record.start_s = time_s;
  if (record.attempts == 0) record.attempts = 1;
  gpu_s_by_events_ -= width * time_s;
  event(time_s, EventKind::launch, job, gpus);
}

void Recorder::move(double time_s, JobId job, std::uint32_t width, const GpuSet& gpus, JobSums& sums) {
  ++sums.migrations;
  gpu_s_by_events_ -= width * time_s;
  event(time_s, EventKind::launch, job, gpus);
}

void Recorder::stop(double time_s, JobId job) {
  ++rows_.records[job.index()].sums.preemptions;
  event(time_s, EventKind::stop, job, {});
}

void Recorder::end_waiting(double time_s, JobId job) {
  rows_.finish(job, time_s, now_s_);
  if (rows_.measured(job)) ++finished_;
}

void Recorder::finish(double time_s, JobId job) {
  end_waiting(time_s, job);
  event(time_s, EventKind::finish, job, {});
}

void Recorder::held(const GpuSet& gpus, double length_s) {
  for (const NodeGpus& part : gpus) record_.node_busy_s[part.node.index()] += gpus_in(part.mask) * length_s;
}

void Recorder::interval(const AllocationInterval& s, const GpuSet& gpus, JobSums& sums) {
  const double length = s.end_s - s.begin_s;
  sums.exec_s += length;
  sums.slowdown_s += s.slowdown * length;
  sums.penalty_s += s.penalty * length;
  const double width = s.width;
  gpu_s_by_events_ += width * s.end_s;
  record_.allocated_s += width * length;
  if (s.measured) record_.busy_s += width * length;
  record_.effective_s += width * s.work_s;
  held(gpus, length);
  if (now_s_ < rows_.window_end_s) return;  // the run cannot end with a measured job while some are still to come
  begin_instant();
  intervals_of_instant_.push_back(s);
}

void Recorder::begin_instant() {
  if (instant_s_ == now_s_) return;
  instant_s_ = now_s_;
  intervals_of_instant_.clear();
  idle_of_instant_.clear();
}

void Recorder::idle(const GpuSet& gpus, double begin_s, double end_s) {
  const double width = count(gpus);
  gpu_s_by_events_ += width * (end_s - begin_s);
  record_.allocated_s += width * (end_s - begin_s);
  held(gpus, end_s - begin_s);
  begin_instant();
  idle_of_instant_.push_back({width, begin_s, end_s});
}

void Recorder::state(double time_s, std::uint32_t queued, std::uint32_t running, std::uint32_t free_gpus,
                     std::uint64_t demand_gpus) {
  queue_changes(time_s, queued);
  jobs_change(time_s, queued + running);
  if (world_.record.rounds) record_.rounds.add(time_s, queued, running, free_gpus, demand_gpus);
}

/// Fractions are of the time up to the makespan; with exact completions the last boundary lies behind it.
void Recorder::cut_after(double horizon_s) {
  for (const AllocationInterval& s : intervals_of_instant_) {
    if (s.end_s <= horizon_s) continue;
    const double beyond = s.end_s - std::max(horizon_s, s.begin_s);
    const double width = s.width;
    record_.allocated_s -= width * beyond;
    if (s.measured) record_.busy_s -= width * beyond;
    record_.effective_s -= width * std::min(s.work_s, beyond / (s.slowdown * s.penalty));
  }
  for (const Idle& part : idle_of_instant_) {
    if (part.end_s > horizon_s) record_.allocated_s -= part.gpus * (part.end_s - std::max(horizon_s, part.begin_s));
  }
}

PartitionRecord Recorder::take(double end_s, double horizon_s) {
  cut_after(horizon_s);
  queue_changes(end_s, queued_ + 1);  // a change of any kind settles what is still open
  jobs_change(end_s, jobs_ + 1);
  return std::move(record_);
}

}  // namespace palstudy
