// SPDX-License-Identifier: MIT
// What a generator of Philly-like jobs is accepted for, on 100,000 jobs: the targets are the public trace's, typed here
// a second time. Tests on failures come with failures.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "workload/generated.hpp"
#include "workload/synthetic/synthetic_trace.hpp"

namespace palstudy {
namespace {

using testing_workload::arrivals;
using testing_workload::bucket;
using testing_workload::generated;

const std::map<std::uint32_t, double> medians_min = {{1, 19.2}, {4, 29.0}, {8, 209}, {1000, 156}};
const std::vector<double> hours = {1.08, .94, 1.08, .94, .94, 1.08, 1.35, 1.21, 1.35, 1.15, .94,  .81,
                                   .74,  .74, .67,  .74, .74, 1.01, 1.01, 1.01, 1.01, 1.08, 1.11, 1.25};

/// The first 100,000 jobs on 2,560 GPUs: at 76 an hour they take about 1,320 hours.
std::vector<Job> hundred_thousand(std::uint64_t seed = 1) {
  const auto all = arrivals(generated({.end_s = 1600 * 3600.0, .seed = seed}), 100000);
  EXPECT_EQ(all.size(), 100000u);
  return all;
}

// Mean GPUs of the trace 1.928, of the shares 1.9216; 3 % are asked for. Sizes come in sessions, so one standard error
// of 100,000 jobs is 1 %.
TEST(Philly, MeanSizeIsThatOfTheTrace) {
  EXPECT_NEAR(testing_workload::mean_gpus(hundred_thousand()), 1.92, 0.03 * 1.92);
}

// The medians of the law are those of the table, exactly.
TEST(Philly, MediansOfTheLawAreThoseOfTheTable) {
  const auto numbers = read_trace_statistics(PALSTUDY_SOURCE_DIR "/jobs/generators/philly.toml", "philly");
  for (const auto& source : job_sources(numbers, {}, 2560)) {
    Job job;
    job.gpus = source.gpus;
    EXPECT_NEAR(source.duration.quantile(0.5), 60 * medians_min.at(bucket(job)), 1e-6) << source.gpus;
  }
}

// Medians by bucket within 10 % of the table's. The distribution is so flat there (from 13 minutes to 220 between the
// 40th and the 60th percentile of 2 to 4 GPUs) that one standard error of a median of 100,000 jobs, of which 8,500 and
// 1,300 in the smaller buckets, is 7 to 20 %: no sample of that size can be asked for 10 %. So it is asked of 16
// samples together (2 to 5 %), and each of the first eight has a share of jobs below the median that five standard
// errors would give.
TEST(Philly, MediansByBucket) {
  std::map<std::uint32_t, std::vector<double>> seconds;
  for (std::uint64_t seed = 1; seed <= 16; ++seed) {
    std::map<std::uint32_t, std::pair<double, double>> below;
    for (const Job& job : hundred_thousand(seed)) {
      const double s = job.ideal_s(), median_s = 60 * medians_min.at(bucket(job));
      seconds[bucket(job)].push_back(s);
      below[bucket(job)].first += s < median_s ? 1 : 0;
      below[bucket(job)].second += 1;
    }
    if (seed > 8) continue;
    for (const auto& [width, count] : below) {
      // Of one-GPU jobs, bursts leave one independent one in 56, of wider ones one in two.
      const double independent = count.second / (width == 1 ? 56 : 2);
      EXPECT_NEAR(count.first / count.second, 0.5, 5 * 0.5 / std::sqrt(independent)) << width << " seed " << seed;
    }
  }
  for (auto& [width, all] : seconds) {
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
    std::nth_element(all.begin(), middle, all.end());
    EXPECT_NEAR(*middle / 60 / medians_min.at(width), 1, 0.1) << width;
  }
}

// GPU time by bucket within 5 points. Sizes and percentiles of the whole trace give 6, 18, 54, 21 % (a sum of shares x
// GPUs x mean durations, done apart from the program); the file of 82,247 jobs, another cut of the data, has 18, 20,
// 48, 14 %.
TEST(Philly, GpuTimeByBucket) {
  const auto shares = testing_workload::gpu_time_shares(hundred_thousand());
  EXPECT_NEAR(shares.at(1), .063, .05);
  EXPECT_NEAR(shares.at(4), .185, .05);
  EXPECT_NEAR(shares.at(8), .543, .05);
  EXPECT_NEAR(shares.at(1000), .209, .05);
}

// GPU-hours a job: sizes and durations give 25.3, the trace's own sum over its count 16.96. Both cannot be met; the
// load follows from the former, and the mean duration, 17,948 s, is that of the trace, 18,006 s.
TEST(Philly, GpuHoursAreThoseOfSizesAndDurations) {
  const auto numbers = read_trace_statistics(PALSTUDY_SOURCE_DIR "/jobs/generators/philly.toml", "philly");
  double rate = 0, load = 0, time = 0;
  for (const auto& source : job_sources(numbers, {}, 2560)) {
    rate += source.jobs_per_s;
    load += source.load_gpus();
    time += source.jobs_per_s * source.duration.mean_s();
  }
  EXPECT_NEAR(load / rate / 3600, 25.3, 0.05);
  EXPECT_NEAR(time / rate, 18006, 0.005 * 18006);
}

// Variance over mean of the jobs an hour: 159 in the file, within a factor of two. (A Poisson process has 1.)
TEST(Philly, ArrivalsAreAsBurstyAsTheTrace) {
  const double dispersion = testing_workload::hourly_dispersion(hundred_thousand());
  EXPECT_GT(dispersion, 159 / 2.0);
  EXPECT_LT(dispersion, 159 * 2.0);
}

// The profile over the hours of the day, correlation over 0.95: of sessions, as users come. Of jobs it cannot be seen
// in 100,000: 4,200 an hour of day with a dispersion over 100 scatter by 16 %, and the profile itself by 18 %.
TEST(Philly, HoursOfTheDay) { EXPECT_GT(testing_workload::hours_correlation(hundred_thousand(), hours), 0.95); }

// Days of the week, from Monday: sessions on Fridays are 1499 / 234 = 6.4 times those on Sundays; without, they are as
// many.
TEST(Philly, DaysOfTheWeek) {
  const auto friday_to_sunday = [](bool weekdays) {
    double friday = 0, sunday = 0;
    for (const Job& job : generated({.gpus = 64, .end_s = 52 * 7 * 86400.0, .weekdays = weekdays}).jobs) {
      if (job.gpus == 1) continue;  // wider ones come in small sessions and scatter less
      const int day = static_cast<int>(job.submit_s / 86400) % 7;
      friday += day == 4 ? 1 : 0;
      sunday += day == 6 ? 1 : 0;
    }
    return friday / sunday;
  };
  EXPECT_NEAR(friday_to_sunday(true), 6.4, 1.6);
  EXPECT_NEAR(friday_to_sunday(false), 1, 0.25);
}

}  // namespace
}  // namespace palstudy
