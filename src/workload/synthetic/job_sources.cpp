// SPDX-License-Identifier: MIT
#include "workload/synthetic/job_sources.hpp"

#include <algorithm>
#include <cmath>

namespace palstudy {
namespace {

/// Adds the sizes of a group that are not over `widest`; their rates are their shares for now.
void add_group(const SizeGroup& group, double widest, double longest_s, const JobSource& like,
               std::vector<JobSource>& out) {
  JobSource source = like;
  source.duration = DurationDistribution(group.percentiles, group.seconds, longest_s);
  for (std::size_t i = 0; i < group.gpus.size(); ++i) {
    if (group.gpus[i] > widest || group.shares[i] == 0) continue;
    source.gpus = static_cast<std::uint32_t>(group.gpus[i]);
    source.jobs_per_s = group.shares[i];
    out.push_back(source);
  }
}

/// Scales the rates to a load.
void offer(double gpus, std::vector<JobSource>& sources) {
  double load = 0;
  for (const auto& source : sources) load += source.load_gpus();
  for (auto& source : sources) source.jobs_per_s *= gpus / load;
}

}  // namespace

double burst_scale(const TraceStatistics& numbers, std::uint32_t cluster_gpus) {
  return std::sqrt(cluster_gpus / numbers.reference_gpus);
}

std::vector<JobSource> job_sources(const TraceStatistics& numbers, const TraceLikeOptions& options,
                                   std::uint32_t cluster_gpus) {
  const double widest =
      std::min<double>(cluster_gpus, std::max(numbers.always_gpus, options.widest_share * cluster_gpus));
  const double scale = burst_scale(numbers, cluster_gpus), load = options.rho * cluster_gpus;
  const DurationDistribution any(numbers.jobs.front().percentiles, numbers.jobs.front().seconds, numbers.longest_s);
  const BurstDistribution alone({}, 1);
  std::vector<JobSource> usual, llm;
  for (const auto& group : numbers.jobs) {
    add_group(group, widest, numbers.longest_s, {1, any, alone, 0, false}, usual);
  }
  for (auto& source : usual) source.burst = BurstDistribution(source.gpus == 1 ? numbers.narrow : numbers.wide, scale);
  if (options.llm_share > 0 && cluster_gpus >= numbers.llm_least_gpus) {
    add_group(numbers.llm, widest, numbers.longest_s, {1, any, alone, 0, true}, llm);
  }
  offer(llm.empty() ? load : load * (1 - options.llm_share), usual);
  offer(load * options.llm_share, llm);
  usual.insert(usual.end(), llm.begin(), llm.end());
  return usual;
}

}  // namespace palstudy
