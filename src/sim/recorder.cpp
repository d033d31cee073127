// SPDX-License-Identifier: MIT
#include "sim/recorder.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "sim/metrics.hpp"

namespace palstudy {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

JobRows blank_rows(std::size_t jobs) {
  JobRows rows;
  rows.job.resize(jobs);
  for (std::size_t j = 0; j < jobs; ++j) rows.job[j] = JobId(j);
  rows.start_s.assign(jobs, nan);
  rows.finish_s.assign(jobs, nan);
  rows.exec_s.assign(jobs, 0.0);
  rows.finished.assign(jobs, 0);
  rows.attempts.assign(jobs, 0);
  rows.slowdown_mean.assign(jobs, 0.0);
  rows.penalty_mean.assign(jobs, 0.0);
  rows.preemptions.assign(jobs, 0);
  rows.migrations.assign(jobs, 0);
  return rows;
}

void cut_to(JobRows& rows, std::size_t size) {
  rows.job.resize(size);
  rows.start_s.resize(size);
  rows.finish_s.resize(size);
  rows.exec_s.resize(size);
  rows.finished.resize(size);
  rows.measured.resize(size);
  rows.attempts.resize(size);
  rows.slowdown_mean.resize(size);
  rows.penalty_mean.resize(size);
  rows.preemptions.resize(size);
  rows.migrations.resize(size);
}

}  // namespace

Recorder::Recorder(const World& world, std::vector<std::uint8_t> measured)
    : world_(world),
      rows_(blank_rows(world.workload.jobs.size())),
      contention_at_arrival_(world.workload.jobs.size(), 0.0),
      mean_contention_(world.workload.jobs.size(), 1.0),
      arrival_instant_s_(world.workload.jobs.size(), 0.0) {
  rows_.measured = std::move(measured);
  result_.node_busy_s.assign(world.topology.nodes(), 0.0);
  window_begin_s_ = std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < rows_.size(); ++j) {
    if (rows_.measured[j] == 0) continue;
    ++measured_left_;
    window_begin_s_ = std::min(window_begin_s_, world.workload.jobs[j].submit_s);
    window_end_s_ = std::max(window_end_s_, world.workload.jobs[j].submit_s);
  }
  terminating_ = rows_.size() == 0 || rows_.measured[0] != 0;
}

void Recorder::instant(double time_s) { now_s_ = time_s; }

/// Adds the moment of the queue length about the middle of the window, over the time for which it has not changed.
void Recorder::queue_changes(double time_s, std::uint32_t queued) {
  if (queued == queued_) return;
  const double from = std::clamp(queued_since_s_, window_begin_s_, window_end_s_);
  const double to = std::clamp(time_s, window_begin_s_, window_end_s_);
  const double middle = 0.5 * (window_begin_s_ + window_end_s_);
  queue_moment_ += queued_ * 0.5 * ((to - middle) * (to - middle) - (from - middle) * (from - middle));
  queued_since_s_ = time_s;
  queued_ = queued;
}

void Recorder::arrive(JobId job) {
  ++arrived_;
  contention_at_arrival_[job.index()] = contention_.until(now_s_);
  arrival_instant_s_[job.index()] = now_s_;
  demand_gpus_ += world_.workload.jobs[job.index()].gpus;
}

void Recorder::launch(double time_s, JobId job, const GpuSet& gpus, bool moved) {
  const std::size_t j = job.index();
  if (std::isnan(rows_.start_s[j])) rows_.start_s[j] = time_s;
  rows_.attempts[j] = 1;
  if (moved) ++rows_.migrations[j];
  if (!world_.record.events) return;
  auto& events = result_.events;
  events.time_s.push_back(time_s);
  events.kind.push_back(EventKind::launch);
  events.job.push_back(job);
  events.gpu_begin.push_back(events.gpus.size());
  for (const NodeGpus& part : gpus) {
    const std::uint32_t first = world_.topology.first_gpu(part.node).value;
    for (GpuMask rest = part.mask; rest != 0; rest &= rest - 1) {
      events.gpus.push_back(first + static_cast<std::uint32_t>(std::countr_zero(rest)));
    }
  }
  events.gpu_count.push_back(static_cast<std::uint32_t>(events.gpus.size() - events.gpu_begin.back()));
}

void Recorder::stop(double time_s, JobId job) {
  ++rows_.preemptions[job.index()];
  if (!world_.record.events) return;
  auto& events = result_.events;
  events.time_s.push_back(time_s);
  events.kind.push_back(EventKind::stop);
  events.job.push_back(job);
  events.gpu_begin.push_back(events.gpus.size());
  events.gpu_count.push_back(0);
}

void Recorder::finish(double time_s, JobId job) {
  const std::size_t j = job.index();
  rows_.finish_s[j] = time_s;
  rows_.finished[j] = 1;
  if (rows_.measured[j] != 0) --measured_left_;
  const double stay = now_s_ - arrival_instant_s_[j];
  if (stay > 0) mean_contention_[j] = (contention_.until(now_s_) - contention_at_arrival_[j]) / stay;
  demand_gpus_ -= world_.workload.jobs[j].gpus;
  if (!world_.record.events) return;
  auto& events = result_.events;
  events.time_s.push_back(time_s);
  events.kind.push_back(EventKind::finish);
  events.job.push_back(job);
  events.gpu_begin.push_back(events.gpus.size());
  events.gpu_count.push_back(0);
}

void Recorder::stretch(const Stretch& s, const GpuSet& gpus) {
  const std::size_t j = s.job.index();
  const double length = s.end_s - s.begin_s;
  rows_.exec_s[j] += length;
  rows_.slowdown_mean[j] += s.slowdown * length;
  rows_.penalty_mean[j] += s.penalty * length;
  const double width = world_.workload.jobs[j].gpus;
  allocated_s_ += width * length;
  if (rows_.measured[j] != 0) busy_s_ += width * length;
  effective_s_ += width * s.work_s;
  for (const NodeGpus& part : gpus) result_.node_busy_s[part.node.index()] += std::popcount(part.mask) * length;
  if (instant_s_ != now_s_) {
    instant_s_ = now_s_;
    stretches_of_instant_.clear();
  }
  stretches_of_instant_.push_back(s);
}

void Recorder::state(double time_s, std::uint32_t queued, std::uint32_t running, std::uint32_t free_gpus) {
  queue_changes(time_s, queued);
  contention_.step(time_s, std::max(1.0, static_cast<double>(demand_gpus_) / world_.topology.gpus()));
  if (!world_.record.rounds) return;
  auto& rounds = result_.rounds;
  const bool same = rounds.size() > 0 && rounds.queued.back() == queued && rounds.running.back() == running &&
                    rounds.free_gpus.back() == free_gpus && rounds.demand_gpus.back() == demand_gpus_;
  if (same) return;
  rounds.time_s.push_back(time_s);
  rounds.queued.push_back(queued);
  rounds.running.push_back(running);
  rounds.free_gpus.push_back(free_gpus);
  rounds.demand_gpus.push_back(demand_gpus_);
}

double Recorder::makespan_s() const {
  double last = 0;
  for (std::size_t j = 0; j < rows_.size(); ++j) {
    if (rows_.measured[j] != 0) last = rows_.finished[j] != 0 ? std::max(last, rows_.finish_s[j]) : nan;
    if (std::isnan(last)) break;
  }
  return last;
}

/// Fractions are of the time up to the makespan; with exact completions the last boundary lies behind it.
void Recorder::cut_after(double makespan_s) {
  for (const Stretch& s : stretches_of_instant_) {
    if (s.end_s <= makespan_s) continue;
    const double beyond = s.end_s - std::max(makespan_s, s.begin_s);
    const double width = world_.workload.jobs[s.job.index()].gpus;
    allocated_s_ -= width * beyond;
    if (rows_.measured[s.job.index()] != 0) busy_s_ -= width * beyond;
    effective_s_ -= width * std::min(s.work_s, beyond / (s.slowdown * s.penalty));
  }
}

double Recorder::queue_slope_per_h() const {
  const double length = window_end_s_ - window_begin_s_;
  return length > 0 ? 3600.0 * 12.0 * queue_moment_ / (length * length * length) : 0.0;
}

RunResult Recorder::take(double end_s) {
  const double makespan = makespan_s();
  const double horizon = std::isnan(makespan) ? end_s : makespan;
  cut_after(horizon);
  queue_changes(end_s, queued_ + 1);  // a change of any kind settles what is still open
  for (std::size_t j = 0; j < rows_.size(); ++j) {
    rows_.slowdown_mean[j] = rows_.exec_s[j] > 0 ? rows_.slowdown_mean[j] / rows_.exec_s[j] : nan;
    rows_.penalty_mean[j] = rows_.exec_s[j] > 0 ? rows_.penalty_mean[j] / rows_.exec_s[j] : nan;
  }
  const Areas areas{
      horizon, allocated_s_, busy_s_, effective_s_, queue_slope_per_h(), terminating_, window_end_s_ - window_begin_s_};
  result_.metrics = compute_metrics(world_.workload, rows_, mean_contention_, world_.topology.gpus(), makespan, areas);
  cut_to(rows_, arrived_);
  result_.jobs = std::move(rows_);
  return std::move(result_);
}

}  // namespace palstudy
