// SPDX-License-Identifier: MIT
#include "sim/scheduler/ones/search.hpp"

#include <algorithm>
#include <utility>

#include "core/error.hpp"
#include "sim/scheduler/ones/progress.hpp"
#include "stats/descriptive.hpp"

namespace palstudy {

OnesSearch::OnesSearch(std::uint32_t gpus, const OnesOptions& options, std::uint64_t seed, const SetSlowdowns* believed)
    : gpus_(gpus),
      options_(options),
      seed_(seed),
      believed_(believed),
      population_(options.rates),
      deployed_(gpus, no_job_row) {}

std::size_t OnesSearch::row(JobId job) const {
  const auto place = std::ranges::lower_bound(records_, job, {}, &Record::job);
  if (place == records_.end() || place->job != job) throw fault("a job that takes no part in the search");
  return static_cast<std::size_t>(place - records_.begin());
}

void OnesSearch::measured(JobId job, double samples_per_s) {
  const auto at = static_cast<std::uint32_t>(row(job));
  std::uint32_t count = 0;
  double slowest = 0;
  for (std::uint32_t gpu = 0; gpu < gpus_; ++gpu) {
    if (deployed_[gpu] != at) continue;
    ++count;
    if (believed_ != nullptr) slowest = std::max(slowest, believed_->of(records_[at].cls, gpu));
  }
  records_[at].throughput.add(count, believed_ != nullptr ? samples_per_s * slowest : samples_per_s);
}

const OnesSchedule& OnesSearch::decide(std::span<const OnesJobState> jobs, std::uint32_t round) {
  take(jobs);
  if (jobs.empty()) return deployed_;
  OnesKey key{seed_, round * options_.generations};
  if (population_.members().empty()) {
    population_.start(static_cast<std::uint32_t>(jobs.size()), gpus_, key);
    deploy(population_.members().front(), jobs, true);
    return deployed_;
  }
  for (std::uint32_t g = 0; g < options_.generations; ++g, ++key.generation) {
    set_table(jobs, key);
    population_.breed({table_, deployed_, {believed_, options_.slowness_weight}}, key);
  }
  const OnesSchedule& best = population_.members().front();
  const bool whole = may_deploy(best, jobs);
  deploy(whole ? best : with_starts(best), jobs, whole);
  return deployed_;
}

/// Records of the jobs that are there now; those that ended leave their schedules.
void OnesSearch::take(std::span<const OnesJobState> jobs) {
  std::vector<Record> records(jobs.size());
  std::vector<std::uint32_t> row_now(records_.size(), no_job_row);
  std::size_t old = 0;
  const auto end_those_before = [&](JobId job, bool all) {
    for (; old < records_.size() && (all || records_[old].job < job); ++old) {
      if (records_[old].started) ended_run_s_.push_back(records_[old].run_s);
    }
  };
  for (std::size_t now = 0; now < jobs.size(); ++now) {
    end_those_before(jobs[now].job, false);
    if (old < records_.size() && records_[old].job == jobs[now].job) {
      row_now[old] = static_cast<std::uint32_t>(now);
      records[now] = std::move(records_[old++]);
    }
    records[now].job = jobs[now].job;
    records[now].cls = jobs[now].cls;
    records[now].run_s = jobs[now].run_s;
  }
  end_those_before({}, true);
  records_ = std::move(records);
  population_.rename(row_now);
  rename_rows(deployed_, row_now);
}

/// The jobs with new predictions and limits.
void OnesSearch::set_table(std::span<const OnesJobState> jobs, const OnesKey& key) {
  const std::vector<std::uint32_t> gpus = gpus_by_row(deployed_, jobs.size());
  table_.resize(jobs.size());
  growth_.resize(jobs.size());
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const OnesJobState& now = jobs[i];
    const Record& record = records_[i];
    OnesJob& job = table_[i];
    job.job = now.job;
    job.cls = now.cls;
    job.status = gpus[i] > 0 ? OnesStatus::running : record.started ? OnesStatus::stopped : OnesStatus::fresh;
    job.epochs = now.epochs;
    job.samples = now.samples;
    job.throughput = record.throughput;
    job.progress = !job.executed() ? nan
                                   : drawn_progress({now.samples / now.epoch_samples, now.epochs_left}, options_.noise,
                                                    1 - key.uniform(OnesOperator::progress, 0, now.job.value));
    growth_[i] = {job.status, gpus[i], now.requested, now.epochs - record.epochs_at_change, now.run_s, record.limit, 0};
  }
  set_limits(growth_, gpus_, median_run_s());
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    records_[i].limit = table_[i].limit = growth_[i].limit;
    table_[i].wanted = growth_[i].wanted;
  }
}

/// Of all jobs ever started; 0 of none.
double OnesSearch::median_run_s() const {
  std::vector<double> all = ended_run_s_;
  for (const Record& record : records_) {
    if (record.started) all.push_back(record.run_s);
  }
  return all.empty() ? 0 : median(std::move(all));
}

bool OnesSearch::may_deploy(const OnesSchedule& best, std::span<const OnesJobState> jobs) const {
  for (std::uint32_t gpu = 0; gpu < gpus_; ++gpu) {
    if (best[gpu] == deployed_[gpu]) continue;
    // Both the job that would lose the GPU and the one that would get it are changed.
    for (const std::uint32_t at : {best[gpu], deployed_[gpu]}) {
      if (at == no_job_row || jobs[at].epochs > records_[at].epochs_at_deployment) continue;
      if (std::ranges::find(deployed_, at) != deployed_.end()) return false;
    }
  }
  return true;
}

/// The deployed schedule with those waiting jobs of the best one all of whose GPUs are free.
OnesSchedule OnesSearch::with_starts(const OnesSchedule& best) const {
  enum class Start : std::uint8_t { possible, no };
  std::vector<Start> start(records_.size(), Start::possible);
  for (std::uint32_t gpu = 0; gpu < gpus_; ++gpu) {
    if (deployed_[gpu] == no_job_row) continue;
    start[deployed_[gpu]] = Start::no;  // it runs
    if (best[gpu] != no_job_row) start[best[gpu]] = Start::no;
  }
  OnesSchedule next = deployed_;
  for (std::uint32_t gpu = 0; gpu < gpus_; ++gpu) {
    if (best[gpu] != no_job_row && start[best[gpu]] == Start::possible) next[gpu] = best[gpu];
  }
  return next;
}

void OnesSearch::deploy(OnesSchedule next, std::span<const OnesJobState> jobs, bool whole) {
  if (next == deployed_) return;
  const std::vector<std::uint32_t> before = gpus_by_row(deployed_, jobs.size()), now = gpus_by_row(next, jobs.size());
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    Record& record = records_[i];
    if (now[i] != before[i]) record.epochs_at_change = jobs[i].epochs;
    if (whole || (now[i] > 0 && before[i] == 0)) record.epochs_at_deployment = jobs[i].epochs;
    const bool passed_over = whole && record.started && before[i] == 0 && now[i] == 0;
    if (passed_over) record.limit = limit_passed_over(record.limit);
    record.started = record.started || now[i] > 0;
  }
  deployed_ = std::move(next);
}

}  // namespace palstudy
