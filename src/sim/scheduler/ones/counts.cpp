// SPDX-License-Identifier: MIT
#include "sim/scheduler/ones/counts.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace palstudy {
namespace {

/// Counts that grow up to what a cluster has.
class Filling {
 public:
  Filling(const OnesSchedule& schedule, std::size_t rows) : place_(rows, no_job_row) {
    for (const std::uint32_t row : schedule) {
      if (row == no_job_row) {
        ++free_;
      } else {
        at(row).gpus += 1;
      }
    }
  }
  [[nodiscard]] bool has(std::uint32_t row) const { return place_[row] != no_job_row; }
  /// Gives the job GPUs up to `most` of its own, as far as there are free ones.
  void fill(std::uint32_t row, std::uint32_t most) {
    const std::uint32_t has_now = has(row) ? counts_[place_[row]].gpus : 0;
    if (has_now >= most || free_ == 0) return;
    const std::uint32_t more = std::min(most - has_now, free_);
    at(row).gpus += more;
    free_ -= more;
  }
  [[nodiscard]] OnesCounts take() { return std::move(counts_); }

 private:
  OnesCount& at(std::uint32_t row) {
    if (!has(row)) {
      place_[row] = static_cast<std::uint32_t>(counts_.size());
      counts_.push_back({row, 0});
    }
    return counts_[place_[row]];
  }

  OnesCounts counts_;
  std::vector<std::uint32_t> place_;  // by row, in `counts_`
  std::uint32_t free_ = 0;
};

/// Infinite for a job whose throughput was never measured, unless nothing is left of it.
double remaining_s(const OnesJob& job, std::uint32_t gpus) {
  const double samples = job.remaining();
  return samples > 0 ? samples / job.throughput.at(gpus) : 0;
}

double usage_of(const OnesJob& job, std::uint32_t gpus) { return gpus * remaining_s(job, gpus); }

}  // namespace

std::vector<std::uint32_t> fill_order(std::span<const OnesJob> jobs) {
  std::vector<std::pair<double, std::uint32_t>> by_time;
  for (std::uint32_t row = 0; row < jobs.size(); ++row) {
    if (jobs[row].executed()) by_time.emplace_back(remaining_s(jobs[row], 1), row);
  }
  std::ranges::sort(by_time);
  std::vector<std::uint32_t> rows;
  rows.reserve(by_time.size());
  for (const auto& [time_s, row] : by_time) rows.push_back(row);
  return rows;
}

OnesCounts padded(const OnesSchedule& schedule, std::span<const OnesJob> jobs, std::span<const std::uint32_t> order) {
  Filling filling(schedule, jobs.size());
  for (std::uint32_t row = 0; row < jobs.size(); ++row) {
    if (jobs[row].status == OnesStatus::fresh) filling.fill(row, 1);
  }
  for (const std::uint32_t row : order) filling.fill(row, jobs[row].wanted);
  for (const std::uint32_t row : order) filling.fill(row, jobs[row].limit);
  return filling.take();
}

double usage(std::span<const OnesCount> counts, std::span<const OnesJob> jobs) {
  std::vector<std::uint32_t> gpus(jobs.size());
  for (const OnesCount& count : counts) gpus[count.row] = count.gpus;
  double sum = 0;
  for (std::size_t row = 0; row < jobs.size(); ++row) {
    if (gpus[row] > 0 && jobs[row].predicted()) sum += usage_of(jobs[row], gpus[row]);
  }
  return sum;
}

double usage(const OnesSchedule& schedule, std::span<const OnesJob> jobs, const SetSlowdowns& slowdowns) {
  const std::vector<std::uint32_t> gpus = gpus_by_row(schedule, jobs.size());
  std::vector<double> slowest(jobs.size());
  for (std::uint32_t gpu = 0; gpu < schedule.size(); ++gpu) {
    const std::uint32_t row = schedule[gpu];
    if (row != no_job_row) slowest[row] = std::max(slowest[row], slowdowns.of(jobs[row].cls, gpu));
  }
  double sum = 0;
  for (std::size_t row = 0; row < jobs.size(); ++row) {
    if (gpus[row] > 0 && jobs[row].predicted()) sum += slowest[row] * usage_of(jobs[row], gpus[row]);
  }
  return sum;
}

std::vector<std::uint32_t> lowest(std::span<const double> scores, std::size_t kept) {
  std::vector<std::uint32_t> members(scores.size());
  std::iota(members.begin(), members.end(), 0U);
  std::ranges::sort(members, {}, [&](std::uint32_t member) { return std::pair(scores[member], member); });
  members.resize(std::min(kept, members.size()));
  return members;
}

}  // namespace palstudy
