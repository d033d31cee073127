// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "sim/scheduler/ones/ones_job.hpp"

namespace palstudy {

/// An individual of the search of ONES (SC'21): by GPU, node by node, the row of the job that has it, or `no_job_row`.
/// The batch is no part of it, since it follows from the count of GPUs (`ones_batch`).
using OnesSchedule = std::vector<std::uint32_t>;
inline constexpr std::uint32_t no_job_row = UINT32_MAX;

/// A uniform number in [0, 1) for a GPU or for the row of a job.
using OnesDraw = std::function<double(std::uint32_t)>;

/// The GPUs of each of `rows` jobs.
[[nodiscard]] std::vector<std::uint32_t> gpus_by_row(const OnesSchedule& schedule, std::size_t rows);

/// Without complete jobs. From left to right a job keeps its first GPU always, and later ones up to `wanted`.
[[nodiscard]] OnesSchedule refreshed(const OnesSchedule& schedule, std::span<const OnesJob> jobs);

/// Two children of two parents. A GPU's entries are swapped if its number, drawn once for each GPU in order, is below
/// `rate`; then a child has an entry only as long as its job has less than `wanted` GPUs. So new jobs vanish.
[[nodiscard]] std::pair<OnesSchedule, OnesSchedule> crossed(const OnesSchedule& first, const OnesSchedule& second,
                                                            std::span<const OnesJob> jobs, double rate,
                                                            const OnesDraw& draw);

/// Without the jobs of two epochs or more whose number is below `rate`. One is drawn for each job, by its row, in the
/// order of first GPUs.
[[nodiscard]] OnesSchedule mutated(const OnesSchedule& schedule, std::span<const OnesJob> jobs, double rate,
                                   const OnesDraw& draw);

/// Samples that a job processes at once, and on each of its GPUs.
struct OnesBatch {
  std::uint64_t local = 0;
  std::uint64_t global = 0;
};

/// The batch of a job on `gpus` GPUs: `requested_local` samples on each while the learning rate, which grows with the
/// count, is within `rate_limit` times the requested one. Beyond, the limit's batch is divided among the GPUs, and
/// rounded down. ONES counts so; statistical efficiency is not asked. Errors (fault): no GPUs, or a limit below 1.
[[nodiscard]] OnesBatch ones_batch(std::uint32_t gpus, std::uint32_t requested_local, double rate_limit);

}  // namespace palstudy
