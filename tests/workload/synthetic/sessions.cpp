// SPDX-License-Identifier: MIT
#include "workload/synthetic/sessions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace palstudy {
namespace {

TraceStatistics numbers_of_philly() {
  return read_trace_statistics(PALSTUDY_SOURCE_DIR "/jobs/generators/philly.toml", "philly");
}

// By the numbers of the file: 592 jobs on Tuesdays to 486 on Mondays, 234 on Sundays to 362 on Saturdays, 1.35 in the
// seventh hour to 1.08 in the sixth. Weeks are alike, also before time 0, and the mean of a week is 1.
TEST(Sessions, RatesFollowHoursAndWeekdays) {
  const TraceStatistics numbers = numbers_of_philly();
  const auto sources = job_sources(numbers, {}, 2490);
  const Sessions week(numbers, sources, 2490, true, 1, 1), alike(numbers, sources, 2490, false, 1, 1);
  double of_week = 0, of_alike = 0;
  for (std::int64_t hour = 0; hour < 168; ++hour) {
    of_week += week.factor(hour) / 168;
    of_alike += alike.factor(hour) / 168;
    for (const std::int64_t weeks : {-2, -1, 1}) EXPECT_EQ(week.factor(hour + 168 * weeks), week.factor(hour)) << hour;
  }
  EXPECT_NEAR(of_week, 1, 1e-12);
  EXPECT_NEAR(of_alike, 1, 1e-12);
  EXPECT_NEAR(week.factor(24 + 3) / week.factor(3), 592.0 / 486, 1e-12);
  EXPECT_NEAR(week.factor(-1) / week.factor(6 * 24 - 1), 234.0 / 362, 1e-12);
  EXPECT_NEAR(week.factor(6) / week.factor(5), 1.35 / 1.08, 1e-12);
  EXPECT_NEAR(alike.factor(24 + 3) / alike.factor(3), 1, 1e-12);
}

// Bursts of 1,100 jobs that are 2 to 8 s apart were seen on 2,490 GPUs: on four times as many they have twice the jobs
// in the same time, on a quarter half the jobs, which are no further apart. By hand: 1,100 x 8 s and a fifth more are
// 2.93 hours, 550 x 8 s and a fifth 1.47, so that sessions of 4 or 3 hours before time 0 can reach it.
TEST(Sessions, OnLargerClustersJobsComeFaster) {
  const TraceStatistics numbers = numbers_of_philly();
  struct Expected {
    std::uint32_t gpus;
    double least_s, most_s;
    std::int64_t first_hour;
  };
  for (const Expected& expected : {Expected{622, 2, 8, -3}, {2490, 2, 8, -4}, {9960, 1, 4, -4}}) {
    const auto sources = job_sources(numbers, {}, expected.gpus);
    const Sessions sessions(numbers, sources, expected.gpus, true, 1, 1);
    EXPECT_EQ(sessions.first_hour(), expected.first_hour) << expected.gpus;
    std::vector<Session> all;
    for (std::int64_t hour = 0; hour < 168; ++hour) sessions.add_sessions_of(hour, all);
    const auto [least, most] =
        std::ranges::minmax_element(all, {}, [](const Session& session) { return session.gap_s; });
    const double tenth_s = (expected.most_s - expected.least_s) / 10;
    EXPECT_GE(least->gap_s, expected.least_s) << expected.gpus;
    EXPECT_LE(least->gap_s, expected.least_s + tenth_s) << expected.gpus;
    EXPECT_LE(most->gap_s, expected.most_s) << expected.gpus;
    EXPECT_GE(most->gap_s, expected.most_s - tenth_s) << expected.gpus;
  }
}

// In four weeks, two of them before time 0, as many sessions of each size as the rates say, five standard errors of a
// Poisson count apart at most; each in its hour, in order, with streams of its own and any of three models alike.
TEST(Sessions, ComeAtTheRatesOfTheirSources) {
  const TraceStatistics numbers = numbers_of_philly();
  const auto sources = job_sources(numbers, {}, 2490);
  const Sessions sessions(numbers, sources, 2490, true, 3, 7);
  std::map<std::uint32_t, double> by_source, by_model;
  std::set<std::uint64_t> keys;
  double all = 0;
  for (std::int64_t hour = -336; hour < 336; ++hour) {
    std::vector<Session> here;
    sessions.add_sessions_of(hour, here);
    double before_s = 3600 * static_cast<double>(hour);
    for (const Session& session : here) {
      EXPECT_GE(session.start_s, before_s);
      before_s = session.start_s;
      EXPECT_LT(session.start_s, 3600 * static_cast<double>(hour + 1));
      EXPECT_TRUE(keys.insert(session.key).second);
      EXPECT_LT(session.tenant, sessions.tenants().names().size());
      ++by_source[session.source];
      ++by_model[session.model];
      ++all;
    }
  }
  for (std::uint32_t s = 0; s < sources.size(); ++s) {
    const double expected = sources[s].sessions_per_s() * 3600 * 672;
    EXPECT_NEAR(by_source[s], expected, 5 * std::sqrt(expected) + 5) << sources[s].gpus;
  }
  ASSERT_EQ(by_model.size(), 3U);
  for (const auto& [model, count] : by_model) EXPECT_NEAR(count, all / 3, 5 * std::sqrt(all * 2 / 9)) << model;
}

}  // namespace
}  // namespace palstudy
