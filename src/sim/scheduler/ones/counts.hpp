// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/scheduler/ones/schedule.hpp"
#include "sim/scheduler/ones/set_slowdowns.hpp"

namespace palstudy {

/// So many GPUs for a job, by its row.
struct OnesCount {
  std::uint32_t row = 0;
  std::uint32_t gpus = 0;
  friend bool operator==(const OnesCount&, const OnesCount&) = default;
};
/// Each job once; the order is that in which `OnesReorder` tries jobs.
using OnesCounts = std::vector<OnesCount>;

/// The rows of executed jobs by ascending remaining time on one GPU, equals in order of arrival: the order in which
/// `padded` fills up. It is the same for all members of a generation.
[[nodiscard]] std::vector<std::uint32_t> fill_order(std::span<const OnesJob> jobs);

/// The counts of a schedule, filled up: new jobs that it lacks get a GPU each in order of arrival while GPUs are free;
/// then the jobs of `order` (`fill_order`) up to `wanted`, each as far as GPUs are left; then again up to `limit`. Jobs
/// of the schedule come first, by their first GPU, then those added.
[[nodiscard]] OnesCounts padded(const OnesSchedule& schedule, std::span<const OnesJob> jobs,
                                std::span<const std::uint32_t> order);

/// GPU-seconds that the predicted jobs of a schedule will still use: the sum of k Y (1/rho - 1) / X(k). Jobs without a
/// prediction count nothing, as do absent ones. The sum goes by row, so that it does not depend on where jobs lie.
[[nodiscard]] double usage(std::span<const OnesCount> counts, std::span<const OnesJob> jobs);
/// The same with X(k) / s, where s is the slowdown of the slowest GPU that the job has in `schedule`.
[[nodiscard]] double usage(const OnesSchedule& schedule, std::span<const OnesJob> jobs, const SetSlowdowns& slowdowns);

/// The members with the `kept` lowest scores, ascending; equals by member.
[[nodiscard]] std::vector<std::uint32_t> lowest(std::span<const double> scores, std::size_t kept);

}  // namespace palstudy
