// SPDX-License-Identifier: MIT
#include "sim/scheduler/optimus/gpu_counts.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "core/random.hpp"
#include "workload/elastic/batch_tuning.hpp"

namespace palstudy {
namespace {

/// The time of an iteration that computes in 1 / k and exchanges in a constant for each further GPU.
double amdahl_s(double exchange_s, std::uint32_t gpus) { return 1.0 / gpus + exchange_s * (gpus - 1); }

// Jobs are alike but for what is left: 100 and 1 iterations. Each has a GPU first. A second saves 50 and 0.5, a third
// 16.7 of the first job, a fourth 8.3, a fifth 5: all six others go to it.
TEST(GpuCounts, GoToWhereTheySaveMost) {
  const std::vector<OptimusJob> jobs = {{100, 16}, {1, 16}};
  const StepOf step = [](std::size_t, std::uint32_t gpus) { return amdahl_s(0, gpus); };
  EXPECT_EQ(gpu_counts(jobs, 8, step), std::vector<std::uint32_t>({7, 1}));
  // The 14th GPU of the first job would save 100 / (13 x 14) = 0.55, its 15th 0.48: the second job's saves 0.5.
  EXPECT_EQ(gpu_counts(jobs, 16, step), std::vector<std::uint32_t>({14, 2}));
}

// With fewer GPUs than jobs the first ones have one each. Nobody has more than it may, or than saves time: the third
// GPU of a job whose exchange takes 0.2 s saves 1/6 s and costs 0.2. What nobody wants is left. Of equals the first is
// served.
TEST(GpuCounts, EndWhereNothingIsSaved) {
  const std::vector<OptimusJob> jobs = {{5, 16}, {5, 2}, {5, 16}};
  const StepOf step = [](std::size_t job, std::uint32_t gpus) { return amdahl_s(job == 2 ? 0.2 : 0, gpus); };
  EXPECT_EQ(gpu_counts(jobs, 2, step), std::vector<std::uint32_t>({1, 1, 0}));
  EXPECT_EQ(gpu_counts(jobs, 4, step), std::vector<std::uint32_t>({2, 1, 1}));
  EXPECT_EQ(gpu_counts(jobs, 100, step), std::vector<std::uint32_t>({16, 2, 2}));
  EXPECT_EQ(gpu_counts(jobs, 0, step), std::vector<std::uint32_t>({0, 0, 0}));
  EXPECT_TRUE(gpu_counts({}, 4, step).empty());
}

// Where each further GPU of a job saves less than the one before, the greedy counts have the least sum of remaining
// times: no GPU moved from one job to another makes it less.
TEST(GpuCounts, LeaveNoBetterExchange) {
  for (std::uint32_t number = 0; number < 200; ++number) {
    std::vector<OptimusJob> jobs;
    std::vector<double> exchange;
    for (std::uint32_t job = 0; job < 6; ++job) {
      const auto words = draw(5, Purpose::cluster_draw, number, job);
      jobs.push_back({1.0 + words[0] % 1000, 1 + words[1] % 8});
      exchange.push_back(1e-4 * (words[2] % 500));
    }
    const StepOf step = [&](std::size_t job, std::uint32_t gpus) { return amdahl_s(exchange[job], gpus); };
    const auto counts = gpu_counts(jobs, 20, step);
    const auto left_s = [&](std::size_t job, std::uint32_t gpus) { return jobs[job].iterations * step(job, gpus); };
    EXPECT_LE(std::accumulate(counts.begin(), counts.end(), 0u), 20u);
    for (std::size_t to = 0; to < jobs.size(); ++to) {
      ASSERT_GE(counts[to], 1u);
      ASSERT_LE(counts[to], jobs[to].most);
      for (std::size_t from = 0; from < jobs.size(); ++from) {
        if (from == to || counts[from] == 1 || counts[to] == jobs[to].most) continue;
        EXPECT_GE(left_s(from, counts[from] - 1) + left_s(to, counts[to] + 1),
                  (left_s(from, counts[from]) + left_s(to, counts[to])) * (1 - 1e-12));
      }
    }
  }
}

// Six GPUs fill a node of four and half of the next: the time is that of two nodes with the batch shared by six.
TEST(GpuCounts, BelieveInPackedNodes) {
  const BatchLimits limits{12, 384, 4};
  const TypeTime type{{0.1, 0.01, 0.2, 0, 1, 0, 1}, 16};
  EXPECT_DOUBLE_EQ(packed_step_s(limits, type, 96, 6, 4), 0.1 + 0.01 * 16 + 1);
  EXPECT_DOUBLE_EQ(packed_step_s(limits, type, 96, 4, 4), 2 * (0.1 + 0.01 * 12) + 0.2);  // two passes of 12
}

// Without noise a batch of any size does as much as the initial one, so an epoch has all its iterations; with much
// noise a batch four times as large takes a fourth. The epoch under way does not count; of the last one 1 is left.
TEST(GpuCounts, RemainingWorkBeginsWithTheNextEpoch) {
  ElasticModel model;
  model.limits = {32, 1024, 1};
  model.epochs = {5, 100};
  EXPECT_NEAR(iterations_after(model, 128, 0), 400, 1e-9);
  EXPECT_NEAR(iterations_after(model, 128, 2), 200, 1e-9);
  EXPECT_EQ(iterations_after(model, 128, 4), 1);
  model.noise.knots = {{0, 1e12}};
  EXPECT_NEAR(iterations_after(model, 128, 2), 50, 1e-6);
}

}  // namespace
}  // namespace palstudy
