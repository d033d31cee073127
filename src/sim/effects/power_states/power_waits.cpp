// SPDX-License-Identifier: MIT
#include "sim/effects/power_states/power_waits.hpp"

#include <algorithm>

namespace palstudy {

void PowerWaits::set(const std::vector<JobId>& waiting, double now_s) {
  std::vector<Wait> next;
  next.reserve(waiting.size());
  auto before = now_.cbegin();
  const auto end_those_before = [&](auto is_before) {
    for (; before != now_.cend() && is_before(before->job); ++before) {
      ended_.push_back({before->job, now_s - before->s});
    }
  };
  for (const JobId job : waiting) {
    end_those_before([&](JobId other) { return other < job; });
    const bool goes_on = before != now_.cend() && before->job == job;
    next.push_back({job, goes_on ? before->s : now_s});
    if (goes_on) ++before;
  }
  end_those_before([](JobId) { return true; });
  now_.swap(next);
}

void PowerWaits::close(PartitionRecord& record, double end_s) {
  set({}, end_s);
  std::stable_sort(ended_.begin(), ended_.end(), [](const Wait& a, const Wait& b) { return a.job < b.job; });
  for (const Wait& wait : ended_) {
    if (record.power_wait_job.empty() || record.power_wait_job.back() != wait.job) {
      record.power_wait_job.push_back(wait.job);
      record.power_wait_s.push_back(0);
    }
    record.power_wait_s.back() += wait.s;
  }
}

}  // namespace palstudy
