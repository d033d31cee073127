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
  return rows;
}

bool is_measured(const MeasureWindow& measure, const Job& job) {
  return measure.by_window ? job.submit_s >= measure.warmup_s && job.submit_s < measure.warmup_s + measure.window_s
                           : job.id >= measure.first && job.id <= measure.last;
}

}  // namespace

RunRows::RunRows(const World& world)
    : rows(blank_rows(world.workload.jobs.size())),
      records(world.workload.jobs.size()),
      gpus_(world.topology.gpus()),
      arrivals_(world.workload.jobs.size()) {
  window_begin_s = std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < rows.size(); ++j) {
    const Job& job = world.workload.jobs[j];
    if (!is_measured(world.measure, job)) continue;
    records[j].measured = 1;
    ++measured_jobs_;
    window_begin_s = std::min(window_begin_s, job.submit_s);
    window_end_s = std::max(window_end_s, job.submit_s);
  }
  if (measured_jobs_ == 0) {
    throw data_error("no job of the trace is measured", "measure", "choose a range or a window in which jobs arrive");
  }
  if (world.failures != nullptr) rows.status.assign(rows.size(), JobStatus::none);
  terminating = records[0].measured != 0;
}

void RunRows::arrive(JobId job, double now_s) {
  ++arrived_;
  arrivals_[job.index()] = {now_s, contention_.until(now_s)};
}

void RunRows::contention(double now_s, std::uint64_t demand_gpus) {
  contention_.step(now_s, std::max(1.0, static_cast<double>(demand_gpus) / gpus_));
}

void RunRows::finish(JobId job, double finish_s, double now_s) {
  JobRecord& record = records[job.index()];
  record.finish_s = finish_s;
  if (record.measured != 0) last_measured_finish_s_ = std::max(last_measured_finish_s_, finish_s);
  const Arrival& arrival = arrivals_[job.index()];
  const double stay = now_s - arrival.instant_s;
  if (stay > 0) record.mean_contention = (contention_.until(now_s) - arrival.contention) / stay;
}

void RunRows::close() {
  rows.resize(rows.size());
  mean_contention.resize(rows.size());
  for (std::size_t j = 0; j < rows.size(); ++j) {
    const JobRecord& record = records[j];
    const JobSums& sums = record.sums;
    rows.start_s[j] = record.start_s;
    rows.finish_s[j] = record.finish_s;
    rows.exec_s[j] = sums.exec_s;
    rows.finished[j] = std::isnan(record.finish_s) ? 0 : 1;
    rows.measured[j] = record.measured != 0 ? 1 : 0;
    rows.attempts[j] = record.attempts;
    rows.slowdown_mean[j] = sums.exec_s > 0 ? sums.slowdown_s / sums.exec_s : nan;
    rows.penalty_mean[j] = sums.exec_s > 0 ? sums.penalty_s / sums.exec_s : nan;
    rows.preemptions[j] = sums.preemptions;
    rows.migrations[j] = sums.migrations;
    mean_contention[j] = record.mean_contention;
  }
  records = {};
}

}  // namespace palstudy
