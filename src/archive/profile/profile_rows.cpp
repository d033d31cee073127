// SPDX-License-Identifier: MIT
#include "archive/profile/profile_rows.hpp"

#include <fmt/format.h>

#include <span>

#include "core/error.hpp"
#include "stats/descriptive.hpp"

namespace palstudy {
namespace {

void add_samples(const ProfileTelemetry& from, std::vector<SampleRow>& to) {
  for (std::size_t i = 0; i < from.t_ns.size(); ++i) {
    to.push_back({from.t_ns[i], from.sm_mhz.at(i), from.mem_mhz.at(i), from.power_w.at(i), from.temp_c.at(i),
                  from.energy_j.at(i), from.reasons.at(i)});
  }
}

ProfileTelemetry to_telemetry(std::span<const SampleRow> rows) {
  ProfileTelemetry to;
  for (const SampleRow& row : rows) {
    to.t_ns.push_back(row.t_ns);
    to.sm_mhz.push_back(row.sm_mhz);
    to.mem_mhz.push_back(row.mem_mhz);
    to.power_w.push_back(row.power_w);
    to.temp_c.push_back(row.temp_c);
    to.energy_j.push_back(row.energy_j);
    to.reasons.push_back(row.reasons);
  }
  return to;
}

/// The rows from `begin` on that belong to a repeat: they follow those of the repeat before, so that none is counted
/// twice and none is left over.
template <class Row>
std::span<const Row> take(const std::vector<Row>& rows, std::int64_t begin, std::int64_t count, std::size_t& next,
                          const std::string& where) {
  if (begin < 0 || static_cast<std::uint64_t>(begin) != next || count < 0 ||
      static_cast<std::uint64_t>(count) > rows.size() - next) {
    throw data_error(
        fmt::format("says {} rows from {}, where {} are there and the next is {}", count, begin, rows.size(), next),
        where, "restore the profile from a copy or measure again");
  }
  const std::span<const Row> all(rows);
  const auto own = all.subspan(next, static_cast<std::size_t>(count));
  next += own.size();
  return own;
}

void need_all(std::size_t used, std::size_t rows, const std::string& where) {
  if (used == rows) return;
  throw data_error(fmt::format("{} rows belong to no repeat", rows - used), where,
                   "restore the profile from a copy or measure again");
}

}  // namespace

void summarize(RepeatRow& row, const std::vector<float>& batch_ms) {
  std::vector<double> times;
  for (const float time : batch_ms) times.push_back(static_cast<double>(time) / static_cast<double>(row.launches));
  double sum = 0;
  for (const double time : times) sum += time;
  row.mean_ms = sum / static_cast<double>(times.size());
  row.deviation_ms = plain_sd(times);
  const auto ascending = sorted(times);
  row.least_ms = ascending.front();
  row.p05_ms = sorted_quantile(ascending, 0.05);
  row.median_ms = sorted_quantile(ascending, 0.5);
  row.p95_ms = sorted_quantile(ascending, 0.95);
  row.most_ms = ascending.back();
}

ProfileRows to_rows(const Profile& profile) {
  ProfileRows rows{profile, {}, {}, {}};
  rows.repeats.reserve(profile.repeats.size());
  rows.batches.reserve(profile.repeats.size());
  for (const ProfileRepeat& r : profile.repeats) {
    RepeatRow row{r};
    row.batch_begin = static_cast<std::int64_t>(rows.batches.size());
    row.batch_count = static_cast<std::int64_t>(r.batch_ms.size());
    row.sample_begin = static_cast<std::int64_t>(rows.samples.size());
    row.sample_count = static_cast<std::int64_t>(r.telemetry.t_ns.size());
    summarize(row, r.batch_ms);
    rows.repeats.push_back(row);
    for (const float time : r.batch_ms) rows.batches.push_back({time});
    add_samples(r.telemetry, rows.samples);
  }
  return rows;
}

Profile from_rows(const ProfileRows& rows, const std::string& where) {
  Profile profile{rows, {}};
  profile.repeats.reserve(rows.repeats.size());
  std::size_t next_batch = 0, next_sample = 0;
  for (std::size_t i = 0; i < rows.repeats.size(); ++i) {
    const RepeatRow& row = rows.repeats[i];
    ProfileRepeat r{row, {}, {}};
    for (const BatchRow& batch : take(rows.batches, row.batch_begin, row.batch_count, next_batch,
                                      fmt::format("{}:/repeats/batch_begin, row {}", where, i))) {
      r.batch_ms.push_back(batch.time_ms);
    }
    r.telemetry = to_telemetry(take(rows.samples, row.sample_begin, row.sample_count, next_sample,
                                    fmt::format("{}:/repeats/sample_begin, row {}", where, i)));
    profile.repeats.push_back(std::move(r));
  }
  need_all(next_batch, rows.batches.size(), where + ":/batches");
  need_all(next_sample, rows.samples.size(), where + ":/telemetry");
  return profile;
}

}  // namespace palstudy
