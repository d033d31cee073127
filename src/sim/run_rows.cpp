// SPDX-License-Identifier: MIT
#include "sim/run_rows.hpp"

#include <algorithm>
#include <limits>

#include "core/error.hpp"
#include "core/numbers.hpp"

namespace palstudy {
namespace {

JobRows blank_rows(std::size_t jobs) {
  JobRows rows;
  rows.job.resize(jobs);
  for (std::size_t j = 0; j < jobs; ++j) rows.job[j] = JobId(j);
  rows.partition.assign(jobs, 0);
  rows.start_s.assign(jobs, nan);
  rows.finish_s.assign(jobs, nan);
  rows.exec_s.assign(jobs, 0.0);
  rows.finished.assign(jobs, 0);
  rows.measured.assign(jobs, 0);
  rows.attempts.assign(jobs, 0);
  rows.slowdown_mean.assign(jobs, 0.0);
  rows.penalty_mean.assign(jobs, 0.0);
  rows.preemptions.assign(jobs, 0);
  rows.migrations.assign(jobs, 0);
  return rows;
}

bool is_measured(const MeasureWindow& measure, const Job& job) {
  return measure.by_window ? job.submit_s >= measure.warmup_s && job.submit_s < measure.warmup_s + measure.window_s
                           : job.id >= measure.first && job.id <= measure.last;
}

}  // namespace

RunRows::RunRows(const World& world)
    : rows(blank_rows(world.workload.jobs.size())),
      mean_contention(world.workload.jobs.size(), 1.0),
      gpus_(world.topology.gpus()),
      contention_at_arrival_(world.workload.jobs.size(), 0.0),
      arrival_instant_s_(world.workload.jobs.size(), 0.0) {
  window_begin_s = std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < rows.size(); ++j) {
    const Job& job = world.workload.jobs[j];
    if (!is_measured(world.measure, job)) continue;
    rows.measured[j] = 1;
    ++measured_jobs_;
    window_begin_s = std::min(window_begin_s, job.submit_s);
    window_end_s = std::max(window_end_s, job.submit_s);
  }
  if (measured_jobs_ == 0) {
    throw data_error("no job of the trace is measured", "measure", "choose a range or a window in which jobs arrive");
  }
  if (world.failures != nullptr) rows.status.assign(rows.size(), JobStatus::none);
  terminating = rows.measured[0] != 0;
}

void RunRows::arrive(JobId job, double now_s) {
  ++arrived_;
  contention_at_arrival_[job.index()] = contention_.until(now_s);
  arrival_instant_s_[job.index()] = now_s;
}

void RunRows::contention(double now_s, std::uint64_t demand_gpus) {
  contention_.step(now_s, std::max(1.0, static_cast<double>(demand_gpus) / gpus_));
}

void RunRows::finish(JobId job, double finish_s, double now_s) {
  const std::size_t j = job.index();
  rows.finish_s[j] = finish_s;
  rows.finished[j] = 1;
  if (rows.measured[j] != 0) last_measured_finish_s_ = std::max(last_measured_finish_s_, finish_s);
  const double stay = now_s - arrival_instant_s_[j];
  if (stay > 0) mean_contention[j] = (contention_.until(now_s) - contention_at_arrival_[j]) / stay;
}

void RunRows::close() {
  for (std::size_t j = 0; j < rows.size(); ++j) {
    rows.slowdown_mean[j] = rows.exec_s[j] > 0 ? rows.slowdown_mean[j] / rows.exec_s[j] : nan;
    rows.penalty_mean[j] = rows.exec_s[j] > 0 ? rows.penalty_mean[j] / rows.exec_s[j] : nan;
  }
}

}  // namespace palstudy
