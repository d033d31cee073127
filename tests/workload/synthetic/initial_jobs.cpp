// SPDX-License-Identifier: MIT
// The jobs that a cluster in its steady state is found with, against renewal theory in closed form.
#include "workload/synthetic/initial_jobs.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <set>

#include "core/numbers.hpp"
#include "workload/generated.hpp"

namespace palstudy {
namespace {

using namespace testing_workload;

/// Log-uniform from `low_s` to `high_s`.
DurationDistribution between(double low_s, double high_s) {
  const std::array shares{0.0, 1.0}, seconds{low_s, high_s};
  return {shares, seconds, high_s};
}

JobSource source(std::uint32_t gpus, double jobs_per_s, double low_s, double high_s) {
  return {gpus, between(low_s, high_s), BurstDistribution({}, 1), jobs_per_s};
}

/// Of a log-uniform law: E[L] = (b - a) / ln(b / a), and what is left of a job met while it runs is on average
/// E[L^2] / (2 E[L]) with E[L^2] = (b^2 - a^2) / (2 ln(b / a)): (a + b) / 4.
double mean_s(double a, double b) { return (b - a) / std::log(b / a); }

struct Found {
  std::map<std::uint32_t, double> jobs, left_s;  ///< by width
  double gpus = 0, squares = 0;
};

/// `seeds` clusters of 400 GPUs at load `rho`.
Found found(const std::vector<JobSource>& sources, double rho, std::uint64_t seeds) {
  const TenantDistribution tenants({}, 400);
  const DrawnModels models{{1.0, 2.0}, {ClassId(0), ClassId(1)}, 1};
  Found all;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    std::vector<Job> jobs;
    RunningJobs{sources, tenants, models, seed}.add(rho, 400, jobs);
    double held = 0;
    for (const Job& job : jobs) {
      ++all.jobs[job.gpus];
      all.left_s[job.gpus] += job.ideal_s();
      held += job.gpus;
    }
    all.gpus += held;
    all.squares += held * held;
  }
  return all;
}

// Jobs are met in proportion to how often they come and how long they run, not to either alone: jobs of one GPU come
// nine times as often, those of two run about eleven times as long. 0.01 is five standard errors of 77,000 jobs, and
// what the last job of a cluster, which is seldom taken as a whole, may shift them by.
TEST(RunningJobs, AreMetByHowOftenTheyComeAndHowLongTheyRun) {
  const auto all = found({source(1, 0.9, 10, 100), source(2, 0.1, 100, 1200)}, 0.75, 400);
  const double narrow = 0.9 * mean_s(10, 100), wide = 0.1 * mean_s(100, 1200);
  const double jobs = all.jobs.at(1) + all.jobs.at(2);
  EXPECT_NEAR(all.jobs.at(2) / jobs, wide / (narrow + wide), 0.01);
  EXPECT_EQ(all.jobs.size(), 2U);
}

// What is left of them is the mean residual life, half of what a length-biased job lasts: not the whole of it, and not
// the mean of all jobs. A job's residual has a standard deviation of about 0.25 b, so 100,000 jobs know the mean to
// 0.3 %.
TEST(RunningJobs, HaveWhatIsLeftOfTheirLives) {
  const auto all = found({source(1, 0.9, 10, 100), source(2, 0.1, 100, 1200)}, 0.75, 400);
  EXPECT_NEAR(all.left_s.at(1) / all.jobs.at(1), (10 + 100) / 4.0, 0.01 * 27.5);
  EXPECT_NEAR(all.left_s.at(2) / all.jobs.at(2), (100 + 1200) / 4.0, 0.01 * 325);
}

// Together they want rho x GPUs on average, though the last one seldom fits exactly: with jobs of 7 GPUs on 400 at 0.75
// the mean over seeds is 300 and not 294 or 301 (between which each cluster lies). Over the whole cluster none.
TEST(RunningJobs, WantTheLoadOnAverage) {
  const std::uint64_t seeds = 1000;
  const auto sevens = found({source(7, 1, 10, 100)}, 0.75, seeds);
  const double mean = sevens.gpus / seeds;
  EXPECT_NEAR(mean, 300, 0.5);  // two values 7 apart: a standard error of 0.09
  EXPECT_GT(sevens.squares / seeds - mean * mean, 1);
  EXPECT_EQ(found({source(7, 1, 10, 100)}, 1.5, 20).gpus, 20 * 399.0);  // all that fit of 7
  EXPECT_EQ(found({source(1, 1, 10, 100)}, 1.5, 20).gpus, 20 * 400.0);
}

// Ids count up to -1, all are submitted at 0, models are drawn evenly, and a large training job has the largest model.
TEST(RunningJobs, AreNumberedBelowTheArrivals) {
  std::vector<JobSource> sources = {source(1, 1, 10, 100), source(3, 1, 10, 100)};
  sources[1].llm = true;
  const TenantDistribution tenants({}, 4000);
  const DrawnModels models{{1.0, 2.0, 4.0}, {ClassId(0), ClassId(1), ClassId(2)}, 1};
  std::vector<Job> jobs;
  RunningJobs{sources, tenants, models, 5}.add(1, 4000, jobs);
  std::map<std::uint16_t, double> drawn;
  double narrow = 0;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    EXPECT_EQ(jobs[i].id, static_cast<std::int64_t>(i) - static_cast<std::int64_t>(jobs.size()));
    EXPECT_EQ(jobs[i].submit_s, 0);
    if (jobs[i].gpus == 3) {
      EXPECT_EQ(jobs[i].model, 1);
      continue;
    }
    ++drawn[jobs[i].model];
    ++narrow;
  }
  ASSERT_GT(narrow, 500);
  for (std::uint16_t model = 0; model < 3; ++model) EXPECT_NEAR(drawn[model] / narrow, 1.0 / 3, 0.07) << model;
}

// The generators begin with them unless told otherwise, at their own load: at time 0 the clusters of thirty seeds are
// busy by rho on average, to a third of the widest job.
TEST(RunningJobs, TheGeneratorsBeginWithThem) {
  for (const char* generator : {"philly", "helios"}) {
    for (const double rho : {0.4, 0.9}) {
      double held = 0;
      for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        for (const Job& job : generated({.generator = generator, .rho = rho, .seed = seed, .jobs = 1}).jobs) {
          if (job.id < 0) held += job.gpus;
        }
      }
      EXPECT_NEAR(held / 30 / 2560, rho, 0.01) << generator << " " << rho;
    }
  }
}

}  // namespace
}  // namespace palstudy
