// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "workload/synthetic/job_sources.hpp"
#include "workload/synthetic/trace_statistics.hpp"

namespace palstudy {

/// Jobs that one user submits in one go: of one size and one model, with durations that are alike.
struct Session {
  std::uint64_t key = 0;     ///< names its random streams
  double start_s = 0;        ///< when the first job arrives; may lie before time 0
  std::uint32_t source = 0;  ///< index into the sources
  std::uint32_t jobs = 1;
  double gap_s = 1;  ///< mean time between its jobs
  double score = 0;  ///< normal; what its jobs' durations share
  std::uint32_t model = 0;
  std::uint16_t tenant = 0;
};

/// When sessions begin and what they are. They form a Poisson process whose rate changes from hour to hour of the week;
/// within an hour it is constant, so every hour is drawn by itself, from streams keyed by (seed, hour), and every
/// session from one keyed by (seed, hour, number in the hour). Time 0 is a Monday, 0 o'clock.
class Sessions {
 public:
  /// The sources must outlive it. `models`: how many there are to choose from.
  Sessions(const TraceStatistics& numbers, const std::vector<JobSource>& sources, std::uint32_t cluster_gpus,
           bool weekdays, std::uint32_t models, std::uint64_t seed);

  /// The first hour that can have jobs after time 0; negative.
  [[nodiscard]] std::int64_t first_hour() const { return -lead_hours_; }
  /// Appends the sessions that start in hour `hour` (from 3600 x hour s on), in order.
  void add_sessions_of(std::int64_t hour, std::vector<Session>& out) const;
  /// Jobs a second in that hour over the mean of the week.
  [[nodiscard]] double factor(std::int64_t hour) const;
  [[nodiscard]] const TenantDistribution& tenants() const { return tenants_; }

 private:
  [[nodiscard]] Session draw_session(std::uint64_t key, double start_s) const;

  const std::vector<JobSource>& sources_;
  std::vector<double> up_to_;  ///< by source, the share of sessions of this and the ones before
  double per_s_ = 0;           ///< sessions, mean over a week
  std::vector<double> hours_, weekdays_;
  double gap_least_s_, gap_most_s_;
  std::int64_t lead_hours_;
  TenantDistribution tenants_;
  std::uint32_t models_;
  std::uint64_t seed_;
};

/// A standard normal number from two words (Box and Muller).
[[nodiscard]] double normal_of(std::uint32_t first, std::uint32_t second);

}  // namespace palstudy
