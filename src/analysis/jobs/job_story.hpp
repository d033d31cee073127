// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/jobs/held_gpus.hpp"
#include "analysis/jobs/job_row.hpp"
#include "record/tables.hpp"
#include "topology/partitioning.hpp"
#include "topology/topology.hpp"
#include "variability/slowdowns.hpp"

namespace palstudy {

/// A run with all that is asked about one of its jobs; what it refers to must outlive it.
struct RunOfJobs {
  const RunRecord& record;  ///< with rows of /jobs and /events
  const Topology& topology;
  const Partitioning& partitioning;
  const Slowdowns& truth;
  double round_s = 0;        ///< 0: the scheduler acts at any time
  double migration_s = 0;    ///< from each launch but the first until work begins
  bool nodes_leave = false;  ///< nodes go down or are powered off; their GPUs count as free
};

/// What kept a job waiting, from its submission to its first start. A boundary says how it is until the next one.
enum class WaitCause : std::uint8_t {
  boundary,       ///< the scheduler had not looked at it yet
  short_of_gpus,  ///< fewer GPUs were left free than it wanted
  behind_others,  ///< enough were left free, and a job submitted earlier had not started either
  held_back,      ///< enough were left free and no such job waited: placement, limits or links kept it
};
inline constexpr std::size_t wait_causes = 4;
/// "boundary", "short-of-gpus", ...: as --json has them.
[[nodiscard]] const char* name_of(WaitCause cause);

/// Other jobs that wanted GPUs of the same partition.
struct OtherJobs {
  std::size_t jobs = 0;
  double gpu_hours = 0;  ///< their GPUs x the time for which they held them in the whole run
};

struct StoryOfWait {
  double until_s = 0;  ///< its first start; of a job that never started, the last time at which something happened
  double by_cause_s[wait_causes] = {};  ///< they sum to `until_s` - submission
  std::int64_t free_least = 0;          ///< GPUs that were left free at the boundaries of the wait
  double free_mean = 0;                 ///< the same, as a mean over the time from the first boundary on
  std::int64_t part_gpus = 0;           ///< of the partition, or of the cluster for a job on several
  OtherJobs ahead;     ///< submitted earlier; they started after this job was submitted and before it started
  OtherJobs overtook;  ///< submitted later; they started before it
  /// The first boundary of the wait at which enough GPUs were free before any job was started there: when it could have
  /// started, had it been first in the queue. NaN: at none.
  double enough_s = nan;

  [[nodiscard]] double s(WaitCause cause) const { return by_cause_s[static_cast<std::size_t>(cause)]; }
  /// What took the most time; the first of equal ones.
  [[nodiscard]] WaitCause main() const;
};

/// The GPU that a job waited for while it ran.
struct SlowestGpu {
  std::int64_t gpu = 0;
  double slowdown = 1;  ///< for the class of the job
};

/// A time in which the job held the same GPUs.
struct StoryOfStay {
  HeldTime held;
  std::vector<std::uint32_t> nodes = {};
  Level span = Level::node;
  SlowestGpu slowest = {};
  std::optional<double> second = {};  ///< slowdown of the second-slowest GPU; none of one GPU
};

/// What slow GPUs cost a job. A plain job runs at the rate of its slowest GPU, so that of w seconds of work on GPUs of
/// which the slowest has slowdown s and the second-slowest t, w (1 - t / s) would be saved if the slowest were as the
/// second-slowest. If no GPU were slower than the median, w (1 - 1 / s) would be saved where s > 1. Both are sums over
/// the stays. w is the time of the stay, less `migration_s` of each launch but the first.
struct CostOfSlowest {
  SlowestGpu slowest;                      ///< of the stay on which it had the largest slowdown
  std::optional<double> as_second_s = {};  ///< none of a job of one GPU
  double as_median_s = 0;
};

/// Why a job waited, and how it ran.
struct JobStory {
  JobRow job;
  StoryOfWait wait = {};
  double stopped_s = 0;  ///< it waited again after it had started: stopped by the scheduler or an outage, or failed
  std::vector<StoryOfStay> stays = {};
  Level span = Level::node;  ///< the widest of its stays
  /// None of a job that never ran, or that did not run at the rate of its slowest GPU, as one of a pipelined model.
  std::optional<CostOfSlowest> cost = {};
  bool nodes_leave = false;
};

/// The story of a row of /jobs. Errors (data): a column is not there; it is on GPUs that the cluster does not have.
[[nodiscard]] JobStory job_story(const RunOfJobs& run, const std::vector<JobRow>& jobs, std::size_t row);

}  // namespace palstudy
