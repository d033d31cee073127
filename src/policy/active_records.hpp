// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "core/ids.hpp"

namespace palstudy {

/// What an order policy keeps of each job that waits or runs, by ascending id. `Record` has a member `job`.
template <class Record>
class ActiveRecords {
 public:
  /// Drops the records of jobs that are not active any longer and adds `make(job)` for those that are new. Whether
  /// there are any of the two.
  template <class Make>
  bool update(std::span<const JobId> active, Make make) {
    const auto same = [](const Record& record, JobId job) { return record.job == job; };
    if (std::equal(all.begin(), all.end(), active.begin(), active.end(), same)) return false;
    before_.swap(all);
    all.clear();
    auto known = before_.begin();
    for (const JobId job : active) {
      while (known != before_.end() && known->job < job) ++known;
      const bool there = known != before_.end() && known->job == job;
      all.push_back(there ? *known : make(job));
    }
    return true;
  }
  /// Null for a job that is not active.
  [[nodiscard]] const Record* find(JobId job) const {
    const auto at =
        std::lower_bound(all.begin(), all.end(), job, [](const Record& record, JobId id) { return record.job < id; });
    return at != all.end() && at->job == job ? &*at : nullptr;
  }

  std::vector<Record> all;

 private:
  std::vector<Record> before_;
};

/// Puts `jobs`, by ascending id, into the order in which `all` names them; jobs that it does not name go last.
inline void order_as(std::span<const JobId> all, std::span<JobId> jobs) {
  if (jobs.size() == all.size()) {  // the usual case: they are the same
    std::copy(all.begin(), all.end(), jobs.begin());
    return;
  }
  thread_local std::vector<JobId> given, named;
  given.assign(jobs.begin(), jobs.end());
  named.assign(all.begin(), all.end());
  std::sort(named.begin(), named.end());
  std::size_t next = 0;
  for (const JobId job : all) {
    if (std::binary_search(given.begin(), given.end(), job)) jobs[next++] = job;
  }
  for (const JobId job : given) {
    if (!std::binary_search(named.begin(), named.end(), job)) jobs[next++] = job;
  }
}

}  // namespace palstudy
