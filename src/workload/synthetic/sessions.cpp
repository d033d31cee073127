// SPDX-License-Identifier: MIT
#include "workload/synthetic/sessions.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "core/numbers.hpp"
#include "core/random.hpp"

namespace palstudy {
namespace {

constexpr std::int64_t key_hours = std::int64_t{1} << 20;  // added, so that hours before time 0 have a key
constexpr int key_shift = 24;                              // sessions of an hour are numbered below it

std::vector<double> scaled_to_mean_1(std::vector<double> profile) {
  const double mean = std::accumulate(profile.begin(), profile.end(), 0.0) / static_cast<double>(profile.size());
  for (double& value : profile) value /= mean;
  return profile;
}

std::int64_t lead_hours(const TraceStatistics& numbers, const std::vector<JobSource>& sources, double gap_divisor) {
  double longest_s = 0;
  for (const auto& source : sources) {
    longest_s = std::max(longest_s, source.burst.largest() * numbers.gap_most_s / gap_divisor);
  }
  return static_cast<std::int64_t>(std::ceil(1.2 * longest_s / hour_s)) + 1;
}

}  // namespace

double normal_of(std::uint32_t first, std::uint32_t second) {
  const double u = (first + 0.5) * 0x1p-32, angle = 2 * std::numbers::pi * (second * 0x1p-32);
  return std::sqrt(-2 * std::log(u)) * std::cos(angle);
}

Sessions::Sessions(const TraceStatistics& numbers, const std::vector<JobSource>& sources, std::uint32_t cluster_gpus,
                   bool weekdays, std::uint32_t models, std::uint64_t seed)
    : sources_(sources),
      hours_(scaled_to_mean_1(numbers.hours)),
      weekdays_(weekdays ? scaled_to_mean_1(numbers.weekdays) : std::vector<double>(7, 1.0)),
      tenants_(numbers.tenants, cluster_gpus),
      models_(models),
      seed_(seed) {
  // More users at once on a larger machine, not longer sessions: where bursts are larger, jobs come faster.
  const double faster = std::max(1.0, burst_scale(numbers, cluster_gpus));
  gap_least_s_ = numbers.gap_least_s / faster;
  gap_most_s_ = numbers.gap_most_s / faster;
  lead_hours_ = lead_hours(numbers, sources, faster);
  for (const auto& source : sources) up_to_.push_back(per_s_ += source.sessions_per_s());
  for (double& share : up_to_) share /= per_s_;
}

double Sessions::factor(std::int64_t hour) const {
  const auto of_week = static_cast<std::size_t>((hour % 168 + 168) % 168);
  return hours_[of_week % 24] * weekdays_[of_week / 24];
}

void Sessions::add_sessions_of(std::int64_t hour, std::vector<Session>& out) const {
  const std::uint64_t key = static_cast<std::uint64_t>(hour + key_hours) << key_shift;
  RandomStream random(seed_, Purpose::arrival, key);
  const double gap_s = 1 / (per_s_ * factor(hour));
  double in_hour_s = 0;
  for (std::uint64_t number = 0;; ++number) {
    in_hour_s -= gap_s * std::log(random.uniform_positive());
    if (in_hour_s >= hour_s) return;
    out.push_back(draw_session(key + number, hour_s * static_cast<double>(hour) + in_hour_s));
  }
}

Session Sessions::draw_session(std::uint64_t key, double start_s) const {
  RandomStream random(seed_, Purpose::job_shape, key);
  Session session;
  session.key = key;
  session.start_s = start_s;
  const auto chosen = std::upper_bound(up_to_.begin(), up_to_.end() - 1, random.uniform());
  session.source = static_cast<std::uint32_t>(chosen - up_to_.begin());
  const JobSource& source = sources_[session.source];
  session.jobs = source.burst.size(random.uniform());
  session.gap_s = gap_least_s_ + random.uniform() * (gap_most_s_ - gap_least_s_);
  const double department = random.uniform(), within = random.uniform();
  session.tenant = tenants_.choose(source.gpus > 1, department, within);
  const std::uint32_t first = random.word(), second = random.word();
  session.score = normal_of(first, second);
  session.model = random.below(models_);
  return session;
}

}  // namespace palstudy
