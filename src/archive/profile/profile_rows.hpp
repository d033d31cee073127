// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "variability/profile/profile.hpp"

namespace palstudy {

/// The row of a repeat as it is stored: its batches and samples lie in tables of their own. (More than 15 members: a
/// column each.)
struct RepeatRow : RepeatFacts {
  std::int64_t batch_begin = 0, batch_count = 0, sample_begin = 0, sample_count = 0;
  double median_ms = 0, mean_ms = 0, deviation_ms = 0, least_ms = 0, p05_ms = 0, p95_ms = 0, most_ms = 0;
};
struct BatchRow {
  float time_ms = 0;
};
struct SampleRow {
  std::int64_t t_ns = 0;
  double sm_mhz = 0, mem_mhz = 0, power_w = 0, temp_c = 0, energy_j = 0;
  std::int64_t reasons = 0;
};

/// A profile as it is stored: tables of rows.
struct ProfileRows : ProfileTables {
  std::vector<RepeatRow> repeats;
  std::vector<BatchRow> batches;
  std::vector<SampleRow> samples;
};

[[nodiscard]] ProfileRows to_rows(const Profile& profile);
/// Errors (data, at where:/repeats): offsets and counts that do not fit the tables of batches and samples.
[[nodiscard]] Profile from_rows(const ProfileRows& rows, const std::string& where);
/// Fills the columns median_ms to most_ms: of a launch, from the batches alone. Quantiles are linear between batches,
/// the deviation is that with n.
void summarize(RepeatRow& row, const std::vector<float>& batch_ms);

/// Calls `visit(group, rows)` for each table, in the order in which they are stored and digested.
template <class Rows, class Visit>
void for_each_table(Rows& rows, Visit visit) {
  visit("/gpus", rows.gpus);
  visit("/sessions", rows.sessions);
  visit("/kernels", rows.kernels);
  visit("/repeats", rows.repeats);
  visit("/batches", rows.batches);
  visit("/telemetry", rows.samples);
  visit("/transfers", rows.transfers);
  visit("/utilization", rows.utilization);
}

}  // namespace palstudy
