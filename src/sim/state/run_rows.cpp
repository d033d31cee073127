// SPDX-License-Identifier: MIT
#include "sim/state/run_rows.hpp"

#include <algorithm>
#include <limits>

#include "core/error.hpp"
#include "core/numbers.hpp"
#include "sim/state/progress.hpp"
#include "sim/state/state_archive.hpp"

namespace palstudy {
namespace {

JobRows blank_rows(std::size_t jobs) {
  JobRows rows;
  rows.job.resize(jobs);
  for (std::size_t j = 0; j < jobs; ++j) rows.job[j] = JobId(j);
  rows.partition.assign(jobs, 0);
  return rows;
}

/// Whether the measured jobs begin with the first of the trace; jobs that are left out because they run at time 0
/// already come before it.
bool from_the_first(const World& world) {
  const auto& jobs = world.workload.jobs;
  const auto left_out = [&](const Job& job) { return world.measure.leaves_out_initial(job); };
  const auto first = std::find_if_not(jobs.begin(), jobs.end(), left_out);
  return first != jobs.end() && world.measure.takes(*first);
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
    if (!world.measure.takes(job)) continue;
    records[j].measured = 1;
    ++measured_jobs_;
    window_begin_s = std::min(window_begin_s, job.submit_s);
    window_end_s = std::max(window_end_s, job.submit_s);
  }
  if (measured_jobs_ == 0) {
    throw data_error("no job of the trace is measured", "measure", "choose a range or a window in which jobs arrive");
  }
  if (world.failures != nullptr || world.engine.kills_overruns) rows.status.assign(rows.size(), JobStatus::none);
  terminating = from_the_first(world);
}

void RunRows::contention(double now_s, std::uint64_t demand_gpus) {
  contention_.step(now_s, palstudy::contention(static_cast<double>(demand_gpus), gpus_));
}

void RunRows::finish(JobId job, double finish_s, double now_s) {
  JobRecord& record = records[job.index()];
  record.finish_s = finish_s;
  if (record.measured != 0) last_measured_finish_s_ = std::max(last_measured_finish_s_, finish_s);
  const Arrival& arrival = arrivals_[job.index()];
  const double stay = now_s - arrival.instant_s;
  if (stay > 0) record.mean_contention = (contention_.until(now_s) - arrival.contention) / stay;
}

void RunRows::make_row(std::size_t row, const JobRecord& record) {
  const JobSums& sums = record.sums;
  rows.start_s[row] = record.start_s;
  rows.finish_s[row] = record.finish_s;
  rows.exec_s[row] = sums.exec_s;
  rows.finished[row] = std::isnan(record.finish_s) ? 0 : 1;
  rows.measured[row] = record.measured != 0 ? 1 : 0;
  rows.late[row] = record.late != 0 ? 1 : 0;
  rows.attempts[row] = record.attempts;
  rows.slowdown_mean[row] = sums.exec_s > 0 ? sums.slowdown_s / sums.exec_s : nan;
  rows.penalty_mean[row] = sums.exec_s > 0 ? sums.penalty_s / sums.exec_s : nan;
  rows.preemptions[row] = sums.preemptions;
  rows.migrations[row] = sums.migrations;
  mean_contention[row] = record.mean_contention;
}

void RunRows::close() {
  rows.resize(rows.size());
  mean_contention.resize(rows.size());
  for (std::size_t j = 0; j < rows.size(); ++j) make_row(j, records[j]);
  records = {};
}

void RunRows::close(const std::vector<JobId>& jobs) {
  JobRows some;
  some.job = jobs;
  for (const JobId job : jobs) some.partition.push_back(rows.partition[job.index()]);
  if (!rows.status.empty()) {
    for (const JobId job : jobs) some.status.push_back(rows.status[job.index()]);
  }
  rows = std::move(some);
  rows.resize(jobs.size());
  mean_contention.resize(jobs.size());
  for (std::size_t i = 0; i < jobs.size(); ++i) make_row(i, records[jobs[i].index()]);
  records = {};
}

template <class Archive>
void RunRows::serialize_shared(Archive& archive) {
  (archive & arrived_ & contention_);
  if (arrived_ > rows.size()) throw fault("more jobs than there are");
  first_of(archive, arrived_, arrivals_);
  first_of(archive, arrived_, rows.partition);
}
template void RunRows::serialize_shared(StateOut&);
template void RunRows::serialize_shared(StateIn&);

template <class Archive>
void RunRows::serialize_jobs(Archive& archive, const std::vector<JobId>& jobs,
                             const std::vector<std::uint8_t>& finished) {
  of_jobs(archive, jobs, records);
  if (!rows.status.empty()) of_jobs(archive, jobs, rows.status);
  if constexpr (Archive::is_saving::value) return;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (finished[i] == 0 || !measured(jobs[i])) continue;
    last_measured_finish_s_ = std::max(last_measured_finish_s_, records[jobs[i].index()].finish_s);
  }
}
template void RunRows::serialize_jobs(StateOut&, const std::vector<JobId>&, const std::vector<std::uint8_t>&);
template void RunRows::serialize_jobs(StateIn&, const std::vector<JobId>&, const std::vector<std::uint8_t>&);

}  // namespace palstudy
