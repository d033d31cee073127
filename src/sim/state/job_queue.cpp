// SPDX-License-Identifier: MIT
#include "sim/state/job_queue.hpp"

#include <algorithm>
#include <cassert>

namespace palstudy {
namespace {

void insert_ascending(std::vector<JobId>& jobs, JobId job) {
  jobs.insert(std::lower_bound(jobs.begin(), jobs.end(), job), job);
}

}  // namespace

void JobQueue::begin_waiting(JobId job, double since_s) {
  table_.course(job).waiting_since_s = since_s;
  ++queued_;
}

void JobQueue::admit(JobId job, double now_s) {
  begin_waiting(job, now_s);
  demand_gpus_ += gpus_of(job);
  if (starves()) starving_.emplace_back(now_s, job);
  waiting_.push_back(job);
}

void JobQueue::wait_again(JobId job, double since_s) {
  begin_waiting(job, since_s);
  if (starves()) starving_.emplace_back(since_s, job);
  insert_ascending(waiting_, job);
}

void JobQueue::move_out(JobId job) {
  waiting_.erase(std::lower_bound(waiting_.begin(), waiting_.end(), job));
  std::erase_if(starving_, [&](const auto& entry) { return entry.second == job; });
  starved_ -= table_.starved(job) ? 1 : 0;
  --queued_;
  demand_gpus_ -= gpus_of(job);
  table_.set_starved(job, false);
}

/// A job that has starved elsewhere is marked by the next `mark_starved`.
void JobQueue::move_in(JobId job, double arrival_s) {
  begin_waiting(job, arrival_s);
  demand_gpus_ += gpus_of(job);
  insert_ascending(waiting_, job);
  if (!starves()) return;
  const std::pair entry(arrival_s, job);
  starving_.insert(std::lower_bound(starving_.begin(), starving_.end(), entry), entry);
}

void JobQueue::remove_launched(const std::vector<JobId>& launched) {
  auto from = waiting_.begin(), to = from;
  for (const JobId job : launched) {
    const auto at = std::lower_bound(from, waiting_.end(), job);
    assert(at != waiting_.end() && *at == job);
    to = std::move(from, at, to);
    from = at + 1;
  }
  waiting_.erase(std::move(from, waiting_.end(), to), waiting_.end());
}

bool JobQueue::may_starve(double since_s, JobId job) const {
  return table_.waiting(job) && table_.course(job).waiting_since_s == since_s && !table_.starved(job);
}

void JobQueue::mark_starved(double now_s) {
  // Where jobs are stopped often, nearly all entries are stale: they would be as many as there ever were stops.
  constexpr std::size_t few = 1024;
  if (starving_.size() > few + 4 * std::size_t{queued_}) {
    std::erase_if(starving_, [&](const auto& entry) { return !may_starve(entry.first, entry.second); });
  }
  while (!starving_.empty() && now_s - starving_.front().first >= starvation_s_) {
    const auto [since_s, job] = starving_.front();
    starving_.pop_front();
    if (!may_starve(since_s, job)) continue;
    table_.set_starved(job, true);
    ++starved_;
  }
}

double JobQueue::next_starvation_s() {
  while (!starving_.empty()) {
    const auto [since_s, job] = starving_.front();
    if (may_starve(since_s, job)) return since_s + starvation_s_;
    starving_.pop_front();
  }
  return std::numeric_limits<double>::infinity();
}

}  // namespace palstudy
