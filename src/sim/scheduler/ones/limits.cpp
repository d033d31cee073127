// SPDX-License-Identifier: MIT
#include "sim/scheduler/ones/limits.hpp"

#include <algorithm>

namespace palstudy {
namespace {

constexpr std::uint32_t settled_epochs = 2, most_of_requested = 4;

bool settled(const OnesGrowth& job) {
  return job.status == OnesStatus::running && job.epochs_since_change >= settled_epochs;
}

void raise_limit(OnesGrowth& job, std::uint32_t cluster_gpus) {
  if (job.gpus == job.limit) job.limit = std::min(2 * job.limit, cluster_gpus);
  job.wanted = std::min(job.limit, most_of_requested * job.requested);
}

std::uint32_t fewer_gpus(const OnesGrowth& job, double median_run_s) {
  const double share = 2.0 * job.gpus / (job.run_s / median_run_s + 1);
  const std::uint32_t fewer = std::max(1U, static_cast<std::uint32_t>(share));
  return std::min(fewer + fewer % 2, job.gpus);
}

}  // namespace

void set_limits(std::span<OnesGrowth> jobs, std::uint32_t cluster_gpus, double median_run_s) {
  OnesGrowth* largest = nullptr;
  for (OnesGrowth& job : jobs) {
    job.wanted = job.status == OnesStatus::running ? job.gpus : job.status == OnesStatus::stopped ? job.limit : 0;
    if (!settled(job)) continue;
    raise_limit(job, cluster_gpus);
    if (largest == nullptr || job.gpus > largest->gpus) largest = &job;
  }
  if (largest != nullptr && 2 * largest->gpus >= cluster_gpus && largest->run_s > median_run_s) {
    largest->wanted = fewer_gpus(*largest, median_run_s);
  }
}

std::uint32_t limit_passed_over(std::uint32_t limit) { return std::max(1U, limit / 2); }

}  // namespace palstudy
