// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "core/ids.hpp"
#include "core/note.hpp"
#include "workload/job_links.hpp"

namespace palstudy {

/// The longest time that a job may wait to be submitted or need to run, in seconds (about 30,000 years): beyond it
/// boundaries could no longer be counted.
inline constexpr double longest_job_s = 1e12;
/// The most GPUs that a job may want.
inline constexpr long long most_job_gpus = std::int64_t{1} << 24;

/// When the site that a trace is of started a job and saw it end, in seconds from time 0; before it under 0.
struct RecordedTimes {
  double start_s = std::numeric_limits<double>::quiet_NaN(), end_s = std::numeric_limits<double>::quiet_NaN();
  /// For how long it held GPUs; NaN: from start to end.
  double held_s = std::numeric_limits<double>::quiet_NaN();

  [[nodiscard]] bool known() const { return !std::isnan(start_s) && !std::isnan(end_s); }
};

/// A gang of GPUs that start together. Immutable, and the same on every rank.
struct Job {
  std::int64_t id = 0;     ///< what the trace calls it
  double submit_s = 0;     ///< arrival, seconds from time 0
  double iterations = 0;   ///< work
  double iteration_s = 0;  ///< seconds per iteration at slowdown 1 and penalty 1
  std::uint32_t gpus = 0;
  ClassId cls;                ///< index into Workload::classes
  std::uint16_t model = 0;    ///< index into Workload::models
  std::uint16_t tenant = 0;   ///< index into Workload::tenants
  std::uint32_t user = 0;     ///< index into Workload::users, where the trace names any
  std::uint32_t name = 0;     ///< index into Workload::names, where the trace names jobs
  std::uint16_t queue = 0;    ///< index into Workload::queues, where the trace names any
  std::uint16_t account = 0;  ///< index into Workload::accounts, where the trace names any
  std::uint32_t site_id = 0;  ///< index into Workload::site_ids, where there are any
  std::uint32_t record = 0;   ///< index into Workload::recorded, where there are any
  /// Seconds that the trace predicts for the job, possibly negative; NaN: none.
  double predicted_s = std::numeric_limits<double>::quiet_NaN();
  double estimate_s = 0;  ///< how long its user says that it takes; 0: exactly `ideal_s`

  /// Seconds at slowdown 1 and penalty 1.
  [[nodiscard]] double ideal_s() const { return iterations * iteration_s; }
  /// Seconds that its user asks for.
  [[nodiscard]] double requested_s() const { return estimate_s > 0 ? estimate_s : ideal_s(); }
};

/// What a model needs of a GPU, for the modelled columns of /jobs, NaN where it is not known; and how it communicates.
struct ModelUtilization {
  double gpu_util;     ///< share of the time in which the GPU is busy, at slowdown 1, in [0, 1]
  double mem_bw_util;  ///< share of the memory bandwidth used, at slowdown 1, in [0, 1]
  double skew = 0;     ///< size of its largest tensor / that of all of its parameters; 0 where it is not known
};

/// The jobs of a run, sorted by submit time (ties in the order of the trace), and the names that they use.
struct Workload {
  std::vector<Job> jobs;
  std::vector<std::string> classes;
  std::vector<std::string> models;          ///< "" is no model
  std::vector<std::string> tenants;         ///< "" is no tenant
  std::vector<std::string> users;           ///< "" is no user; empty where the trace names none
  std::vector<std::string> names;           ///< of jobs; "" is no name; empty where the trace names none
  std::vector<std::string> queues;          ///< "" is the default queue; empty where the trace names none
  std::vector<std::string> accounts;        ///< "" is the user's own; empty where the trace names none
  std::vector<std::string> site_ids;        ///< what the site calls jobs that got other numbers; "" is `Job::id`
  std::vector<RecordedTimes> recorded;      ///< of jobs at the site; the first is of jobs without
  double zero_s = 0;                        ///< seconds since 1970 at time 0, for times of day; 0: not known
  JobLinks links;                           ///< of jobs to others
  std::vector<std::string> lost_links;      ///< columns of links that jobs had before they were drawn again or copied
  std::vector<ModelUtilization> model_use;  ///< by model
  std::vector<Note> notes;                  ///< what a reader had to change or drop
  std::vector<std::string> sources;         ///< files that a generator read, relative to GeneratorContext::data_dir
};

/// Keeps what the site recorded of a job; nothing where the times are not known.
void record_times(Workload& workload, Job& job, const RecordedTimes& times);
/// What it recorded; not known where the trace does not say.
[[nodiscard]] RecordedTimes recorded_times(const Workload& workload, const Job& job);
/// For how long a job of known times held GPUs from time 0 on, in seconds; at least 1.
[[nodiscard]] double held_from_zero_s(const RecordedTimes& times);
/// All times count from `by_s` later.
void count_from(Workload& workload, double by_s);

/// Leaves out the jobs of which `out(job)` is true, with their links: a job waits no longer for one that is not there.
/// How many they are.
std::size_t leave_out(Workload& workload, const std::function<bool(const Job&)>& out);
/// Jobs get other ids: what they wait for is known no longer.
void lose_links(Workload& workload);

/// Makes Job::cls index `class_names` (those of the cluster). Errors (data): a class the cluster does not have; `where`
/// says where the jobs are from and `cluster` where its classes are.
void bind_classes(Workload& workload, const std::vector<std::string>& class_names, const std::string& where,
                  const std::string& cluster = "the cluster");

/// How long users say that their jobs take: `workload.estimates`.
enum class Estimates {
  exact,    ///< what the job takes at slowdown 1 and penalty 1
  uniform,  ///< 1 to 3 times as long, drawn for each job
  classes,  ///< the same, rounded up to 15 min, 1, 4, 12, 24 or 72 h; beyond that to whole days
};

/// Sets `Job::estimate_s` where the trace does not. Draws are keyed by `seed` and the id of the job, so that every
/// policy gets the same estimates.
void estimate_durations(Workload& workload, Estimates estimates, std::uint64_t seed);

}  // namespace palstudy
