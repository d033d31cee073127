// SPDX-License-Identifier: MIT
// The same of Helios-like jobs, for each of its clusters: what the paper's figures and the published summary say.
#include <gtest/gtest.h>

#include <algorithm>

#include "workload/generated.hpp"
#include "workload/models.hpp"
#include "workload/synthetic/synthetic_trace.hpp"

namespace palstudy {
namespace {

using testing_workload::arrivals;
using testing_workload::generated;

struct Published {
  double mean_gpus, mean_s, gpu_h;
  std::vector<double> gpu_time;  ///< percent in jobs of at most 1, 2, 4, 8, 16, 32, 64 GPUs
  std::vector<double> duration;  ///< percent of jobs of at most 1, 4, 16, 64, ... 262144 s
  std::vector<double> hours;
};

const std::map<std::string, Published> clusters = {
    {"venus",
     {6.736,
      13041,
      27.37,
      {4.6, 8.0, 12.8, 42.1, 58.3, 83.4, 90.9},
      {1.9, 4.1, 9.6, 23.2, 55.1, 72.9, 83.7, 89.6, 95.4, 98.9},
      {26, 19, 17, 11, 8, 6, 5, 6, 11, 23, 37, 42, 34, 37, 45, 48, 50, 50, 37, 38, 39, 39, 33, 30}}},
    {"earth",
     {2.101,
      5131,
      7.44,
      {11.5, 12.6, 18.8, 46.7, 66.8, 83.9, 91.1},
      {.9, 1.6, 2.8, 9.1, 55.1, 76.5, 88.7, 95.7, 98.6, 99.7},
      {108, 96, 88, 84, 82, 79, 74, 74, 73, 81, 102, 112, 109, 113, 106, 116, 113, 102, 94, 108, 123, 116, 106, 102}}},
    {"saturn",
     {4.01,
      5253,
      10.99,
      {5.4, 7.1, 12.7, 40.2, 57.7, 84.2, 92.9},
      {7.2, 10.9, 17.3, 35.9, 61.6, 76.3, 88.7, 95.6, 98.1, 99.7},
      {140, 143, 114, 105, 98,  91,  86,  85,  95,  138, 184, 199,
       174, 185, 206, 235, 242, 219, 180, 186, 204, 196, 175, 180}}},
    {"uranus",
     {4.038,
      9164,
      22.42,
      {3.3, 4.5, 8.4, 39.8, 64.6, 91.8, 98.9},
      {2.0, 3.8, 7.6, 22.6, 48.3, 72.3, 85.0, 91.7, 96.8, 99.4},
      {56, 49, 28, 17, 18, 26, 34, 20, 25, 54, 85, 97, 119, 109, 125, 121, 138, 112, 88, 104, 111, 95, 100, 86}}}};

std::vector<JobSource> sources(const std::string& cluster) {
  return job_sources(read_trace_statistics(PALSTUDY_SOURCE_DIR "/jobs/generators/helios.toml", cluster), {}, 2560);
}

/// Share of jobs of at most `seconds`, by bisection of the quantiles.
double at_most(const DurationDistribution& law, double seconds) {
  double low = 0, high = 1;
  for (int i = 0; i < 60; ++i) (law.quantile((low + high) / 2) <= seconds ? low : high) = (low + high) / 2;
  return low;
}

// The laws of each cluster give the summary's mean sizes, durations and GPU-hours within 5 %, and the paper's
// distributions of durations over jobs within 1.5 points (3.5 below a second, as none is shorter here) and of GPU time
// over sizes within 1.
TEST(Helios, DistributionsAreThePublishedOnes) {
  for (const auto& [name, published] : clusters) {
    double rate = 0, gpus = 0, time = 0, load = 0, below = 0;
    for (const auto& source : sources(name)) {
      rate += source.jobs_per_s;
      gpus += source.jobs_per_s * source.gpus;
      time += source.jobs_per_s * source.duration.mean_s();
      load += source.load_gpus();
    }
    EXPECT_NEAR(gpus / rate / published.mean_gpus, 1, 0.03) << name;
    EXPECT_NEAR(time / rate / published.mean_s, 1, 0.05) << name;
    EXPECT_NEAR(load / rate / 3600 / published.gpu_h, 1, 0.05) << name;
    std::size_t size = 0;
    for (const auto& source : sources(name)) {
      below += 100 * source.load_gpus() / load;
      if (size == published.gpu_time.size()) continue;
      EXPECT_NEAR(below, published.gpu_time[size++], 1) << name << source.gpus;
    }
    double seconds = 1;
    for (const double percent : published.duration) {
      double share = 0;
      for (const auto& source : sources(name)) share += source.jobs_per_s / rate * at_most(source.duration, seconds);
      EXPECT_NEAR(100 * share, percent, seconds == 1 ? 3.5 : 1.5) << name << " " << seconds << " s";
      seconds *= 4;
    }
  }
}

// 100,000 jobs of each cluster: mean size within 3 % of the law (7 sizes in sessions: one standard error is 1 %), GPU
// time by bucket within 5 points of the paper, hours of sessions correlated over 0.95.
TEST(Helios, HundredThousandJobsOfEachCluster) {
  for (const auto& [name, published] : clusters) {
    const auto jobs = arrivals(generated({.generator = "helios", .jobs = 100000, .trace_cluster = name}), 100000);
    EXPECT_NEAR(testing_workload::mean_gpus(jobs) / published.mean_gpus, 1, 0.05) << name;
    const auto shares = testing_workload::gpu_time_shares(jobs);
    EXPECT_NEAR(100 * shares.at(1), published.gpu_time[0], 5) << name;
    EXPECT_NEAR(100 * shares.at(4), published.gpu_time[2] - published.gpu_time[0], 5) << name;
    EXPECT_NEAR(100 * shares.at(8), published.gpu_time[3] - published.gpu_time[2], 5) << name;
    EXPECT_NEAR(100 * shares.at(1000), 100 - published.gpu_time[3], 5) << name;
    EXPECT_GT(testing_workload::hours_correlation(jobs, published.hours), 0.95) << name;
  }
}

// All four together: 13.71 GPU-hours a job in the summary.
TEST(Helios, AllClustersTogether) {
  double rate = 0, load = 0;
  for (const auto& source : sources("all")) {
    rate += source.jobs_per_s;
    load += source.load_gpus();
  }
  EXPECT_NEAR(load / rate / 3600, 13.71, 0.05 * 13.71);
}

TEST(Helios, NamesTheClustersItKnows) {
  const auto message = testing_workload::refusal(
      2, [] { (void)generated({.generator = "helios", .jobs = 10, .trace_cluster = "satun"}); });
  EXPECT_NE(message.find("did you mean \"saturn\"?"), std::string::npos) << message;
}

}  // namespace
}  // namespace palstudy
