// SPDX-License-Identifier: MIT
#include "analysis/jobs/limit_kills.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace palstudy {
namespace {

void count_killed(KilledJobs& killed, const JobRow& job) {
  ++killed.jobs;
  killed.gpu_hours += job.gpu_hours();
}

double needed_s(const JobRow& job, double migration_s) {
  return job.ideal_s * job.penalty + migration_s * static_cast<double>(job.preemptions + job.migrations);
}

}  // namespace

LimitKills limit_kills(const std::vector<JobRow>& jobs, double migration_s) {
  LimitKills kills;
  const bool users = std::ranges::any_of(jobs, [](const JobRow& job) { return !job.user.empty(); });
  if (!users) kills.by = "tenant";
  std::map<std::string, UserKills> by_name;
  for (const JobRow& job : jobs) {
    if (job.status != "killed") continue;
    UserKills& user = by_name[users ? job.user : job.tenant];
    count_killed(kills.all, job), count_killed(user.all, job);
    const double needs_s = needed_s(job, migration_s);
    if (!(needs_s <= job.exec_s)) continue;
    count_killed(kills.slow, job), count_killed(user.slow, job);
    kills.jobs.push_back({job, needs_s});
  }
  for (auto& [name, user] : by_name) {
    user.user = name;
    kills.users.push_back(user);
  }
  std::ranges::stable_sort(kills.users, [](const UserKills& a, const UserKills& b) {
    return std::tie(b.slow.gpu_hours, b.all.jobs) < std::tie(a.slow.gpu_hours, a.all.jobs);
  });
  return kills;
}

}  // namespace palstudy
