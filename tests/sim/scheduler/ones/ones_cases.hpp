// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "core/random.hpp"
#include "sim/scheduler/ones/counts.hpp"
#include "sim/scheduler/ones/schedule.hpp"

namespace palstudy {

/// Jobs, the GPUs of a cluster and schedules, drawn by the number of a case.
class OnesCases {
 public:
  explicit OnesCases(std::uint64_t number) : random_(number, Purpose::evolution, 0) {
    gpus = 1 + random_.below(16);
    const std::uint32_t count = 1 + random_.below(9);
    for (std::uint32_t row = 0; row < count; ++row) jobs.push_back(job(row));
  }

  /// Any entries, in any order.
  [[nodiscard]] OnesSchedule schedule() {
    OnesSchedule out(gpus, no_job_row);
    const auto rows = static_cast<std::uint32_t>(jobs.size());
    for (std::uint32_t& row : out) {
      if (random_.uniform() < 0.7) row = random_.below(rows);
    }
    return out;
  }
  /// Jobs with a few GPUs each, no more than there are.
  [[nodiscard]] OnesCounts counts(std::uint32_t most_jobs) {
    OnesCounts out;
    std::uint32_t left = gpus;
    for (std::uint32_t row = 0; row < jobs.size() && out.size() < most_jobs && left > 0; ++row) {
      out.push_back({row, 1 + random_.below(std::min(left, 4U))});
      left -= out.back().gpus;
    }
    for (std::size_t i = out.size(); i > 1; --i) {
      std::swap(out[i - 1], out[random_.below(static_cast<std::uint32_t>(i))]);
    }
    return out;
  }
  [[nodiscard]] double uniform() { return random_.uniform(); }

  std::uint32_t gpus = 0;
  std::vector<OnesJob> jobs;

 private:
  [[nodiscard]] OnesJob job(std::uint32_t row) {
    OnesJob out;
    out.job = JobId(2 * row + 1);  // ids are no rows
    out.status = static_cast<OnesStatus>(random_.below(4));
    const bool old = out.status == OnesStatus::running || out.status == OnesStatus::stopped;
    out.epochs = old ? random_.below(6) : 0;
    out.limit = 1U << random_.below(4);
    if (old) out.wanted = 1 + random_.below(out.limit);
    out.samples = 1000.0 * out.epochs;
    if (old) out.throughput.add(1, 50 + 50 * random_.uniform());
    if (out.executed()) out.progress = 0.05 + 0.9 * random_.uniform();
    return out;
  }

  RandomStream random_;
};

/// The schedule in which the jobs have their runs one after the other.
inline OnesSchedule one_after_another(const OnesCounts& counts, std::uint32_t gpus) {
  OnesSchedule out;
  for (const OnesCount& count : counts) out.insert(out.end(), count.gpus, count.row);
  out.resize(gpus, no_job_row);
  return out;
}

/// GPUs by row, those alone that have some.
inline std::map<std::uint32_t, std::uint32_t> counted_rows(const OnesSchedule& schedule) {
  std::map<std::uint32_t, std::uint32_t> out;
  for (const std::uint32_t row : schedule) {
    if (row != no_job_row) ++out[row];
  }
  return out;
}

}  // namespace palstudy
