// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/ids.hpp"
#include "workload/job.hpp"

namespace palstudy {

/// What jobs of a run wait for beside GPUs: others that have to be over (Slurm's afterany), and their turn in an array
/// of which few tasks run at once (recorded runs: tests/golden/runs/slurm, walltime).
class StartRules {
 public:
  /// Links to jobs that the workload has no more say nothing.
  explicit StartRules(const Workload& workload);

  [[nodiscard]] bool empty() const { return after_.empty() && array_of_.empty(); }
  /// Jobs that have to be over before this one may start: the second of each pair.
  [[nodiscard]] std::span<const std::pair<JobId, JobId>> after(JobId job) const;
  /// Jobs that may start only when this one is over: the second of each pair.
  [[nodiscard]] std::span<const std::pair<JobId, JobId>> followers(JobId job) const;
  /// The array of a job, if only few of its tasks may run at once.
  [[nodiscard]] std::optional<std::uint32_t> array_of(JobId job) const;
  /// How many tasks of each array may run at once.
  [[nodiscard]] std::span<const std::uint32_t> at_once() const { return at_once_; }

 private:
  std::vector<std::pair<JobId, JobId>> after_, followers_;  // ascending
  std::vector<std::pair<JobId, std::uint32_t>> array_of_;   // ascending
  std::vector<std::uint32_t> at_once_;                      // by array
};

}  // namespace palstudy
