// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "sim/scheduler/ones/ones_job.hpp"

namespace palstudy {

/// What limits the GPUs of a job in the search of ONES.
struct OnesGrowth {
  OnesStatus status = OnesStatus::fresh;
  std::uint32_t gpus = 0;                 ///< deployed
  std::uint32_t requested = 1;            ///< by its user
  std::uint32_t epochs_since_change = 0;  ///< completed since its count changed or it started
  double run_s = 0;                       ///< time that it has run
  std::uint32_t limit = 1;                ///< GPUs that it may have at most; raised here
  std::uint32_t wanted = 0;               ///< GPUs that operators let it keep; set here
};

/// Sets `limit` and `wanted` of all jobs, on `cluster_gpus` GPUs (ONES, SC'21, and its published program).
/// Up: a running job that has done two epochs since its count changed, and has all the GPUs of its limit, may have
/// twice as many. It wants its limit, but at most four times what its user requested. Other running jobs want what they
/// have. Down: of those jobs the largest, in order of arrival, wants less if it has half of the GPUs or more, and has
/// run for t, longer than the median: 2 gpus / (t / median + 1), rounded down and then up to an even number, never more
/// than it has. Stopped jobs want their limit; new and complete ones nothing. The published program means "since its
/// count changed" but reads a field that it never writes (`last_epoch_scaled` against `last_scaled_epoch`), so that it
/// asks for two epochs in all. Here it is as meant. `median_run_s` is that of all jobs ever started.
void set_limits(std::span<OnesGrowth> jobs, std::uint32_t cluster_gpus, double median_run_s);

/// The limit of a stopped job after a deployment that passes it over: half, and 1 at least.
[[nodiscard]] std::uint32_t limit_passed_over(std::uint32_t limit);

}  // namespace palstudy
