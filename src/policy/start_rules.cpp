// SPDX-License-Identifier: MIT
#include "policy/start_rules.hpp"

#include <algorithm>
#include <map>
#include <string>

namespace palstudy {
namespace {

using Pairs = std::vector<std::pair<JobId, JobId>>;

std::span<const std::pair<JobId, JobId>> of_first(const Pairs& pairs, JobId job) {
  return std::ranges::equal_range(pairs, job, {}, &std::pair<JobId, JobId>::first);
}

}  // namespace

StartRules::StartRules(const Workload& workload) {
  const JobLinks& links = workload.links;
  if (links.empty()) return;
  std::map<std::int64_t, JobId> jobs;
  for (std::size_t j = 0; j < workload.jobs.size(); ++j) jobs.emplace(workload.jobs[j].id, JobId(j));
  for (const auto& [job, after] : links.after) {
    const auto from = jobs.find(job), to = jobs.find(after);
    if (from == jobs.end() || to == jobs.end()) continue;
    after_.emplace_back(from->second, to->second);
    followers_.emplace_back(to->second, from->second);
  }
  std::map<std::string, std::uint32_t> arrays;
  for (const auto& [job, array] : links.tasks) {
    const auto task = jobs.find(job);
    const std::uint32_t at_once = links.at_once.at(array);
    if (task == jobs.end() || at_once == 0) continue;
    const auto [place, added] = arrays.emplace(array, static_cast<std::uint32_t>(at_once_.size()));
    if (added) at_once_.push_back(at_once);
    array_of_.emplace_back(task->second, place->second);
  }
  std::ranges::sort(after_);
  std::ranges::sort(followers_);
  std::ranges::sort(array_of_);
}

std::span<const std::pair<JobId, JobId>> StartRules::after(JobId job) const { return of_first(after_, job); }

std::span<const std::pair<JobId, JobId>> StartRules::followers(JobId job) const { return of_first(followers_, job); }

std::optional<std::uint32_t> StartRules::array_of(JobId job) const {
  const auto at = std::ranges::lower_bound(array_of_, job, {}, &std::pair<JobId, std::uint32_t>::first);
  if (at == array_of_.end() || at->first != job) return std::nullopt;
  return at->second;
}

}  // namespace palstudy
