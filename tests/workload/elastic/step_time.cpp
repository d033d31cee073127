// SPDX-License-Identifier: MIT
#include "workload/elastic/step_time.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "drawn_elastic.hpp"

namespace palstudy {
namespace {

constexpr std::uint64_t step_cases = 2000;

Batch drawn_batch(std::uint64_t number) {
  ElasticDraws draws(number + 1'000'000);
  return {draws.count(1, 300), draws.count(0, 5)};
}

// Worked out by hand: 4 GPUs on one node, passes of 0.1 + 10 x 0.02 = 0.3 s, an exchange of 0.3 + 2 x 0.05 = 0.4 s.
// With gamma 2 the last of three passes takes sqrt(0.09 + 0.16) = 0.5 s with it: 1.1 s. On two nodes the exchange
// takes 1.6 s.
TEST(StepTime, IsPollux) {
  const StepTime time{0.1, 0.02, 0.3, 0.05, 1.0, 0.3, 2};
  EXPECT_NEAR(iteration_s(time, {4, 1}, {10, 2}), 1.1, 1e-12);
  EXPECT_NEAR(exchange_s(time, {4, 2}), 1.6, 1e-12);
  EXPECT_NEAR(iteration_s(time, {4, 2}, {10, 0}), std::hypot(0.3, 1.6), 1e-12);
  EXPECT_NEAR(iteration_s(time, {4, 1}, {10, 1}, {SlowKind::whole, 2, 3}), 6 * 0.8, 1e-12);
  EXPECT_NEAR(iteration_s(time, {4, 1}, {10, 1}, {SlowKind::split, 2, 3}), 0.6 + std::hypot(0.6, 1.2), 1e-12);
}

// A rigid job of the existing model is one GPU whose pass takes iteration_s: slowdown x penalty x iteration_s to the
// last bit, whatever gamma is.
TEST(StepTime, OfOneGpuIsThatOfARigidJob) {
  for (std::uint64_t i = 0; i < step_cases; ++i) {
    const ElasticCase drawn = drawn_case(i);
    StepTime time = drawn.type.step;
    time.beta_c = 0;
    const SlowGpus slow{SlowKind::whole, drawn.slow.slowdown, drawn.slow.penalty};
    EXPECT_EQ(iteration_s(time, {1, 1}, {64, 0}, slow), slow.slowdown * slow.penalty * time.alpha_c);
  }
}

// `whole` stretches all of an iteration. `split` lies between the median GPUs' time and that, feels slowdown and
// penalty each, and equals `whole` where both are the same factor.
TEST(StepTime, FeelsSlowGpusInOneOfTwoWays) {
  for (std::uint64_t i = 0; i < step_cases; ++i) {
    ElasticCase drawn = drawn_case(i);
    const Batch batch = drawn_batch(i);
    const auto time_s = [&](SlowKind kind, double slowdown, double penalty) {
      return iteration_s(drawn.type.step, drawn.shape, batch, {kind, slowdown, penalty});
    };
    const double s = std::max(1.0, drawn.slow.slowdown), penalty = drawn.slow.penalty;
    const double median = time_s(SlowKind::whole, 1, 1);
    EXPECT_EQ(time_s(SlowKind::split, 1, 1), median);
    EXPECT_NEAR(time_s(SlowKind::whole, s, penalty), s * penalty * median, 1e-12 * s * penalty * median);
    const double split = time_s(SlowKind::split, s, penalty);
    EXPECT_GE(split, median * (1 - 1e-12));
    EXPECT_LE(split, time_s(SlowKind::whole, s, penalty) * (1 + 1e-12));
    EXPECT_GT(time_s(SlowKind::split, s * 1.5, penalty), split);
    EXPECT_GE(time_s(SlowKind::split, s, penalty * 1.5), split);
    EXPECT_NEAR(time_s(SlowKind::split, 1.5, 1.5), 1.5 * median, 1e-12 * median);
  }
}

// Where computing and exchange overlap, an iteration takes no less than the longer of them and no more than both; the
// more they overlap, the less.
TEST(StepTime, OverlapLiesBetweenTheLongerAndTheSum) {
  for (std::uint64_t i = 0; i < step_cases; ++i) {
    StepTime time = drawn_case(i).type.step;
    const JobShape shape{drawn_case(i).shape.gpus + 1, drawn_case(i).shape.nodes};
    const Batch batch{drawn_batch(i).local, 0};
    const double pass = pass_s(time, batch.local), exchange = exchange_s(time, shape);
    const double s = iteration_s(time, shape, batch);
    EXPECT_GE(s, std::max(pass, exchange) * (1 - 1e-12));
    EXPECT_LE(s, (pass + exchange) * (1 + 1e-12));
    time.gamma += 1;
    EXPECT_LE(iteration_s(time, shape, batch), s * (1 + 1e-12));
  }
}

}  // namespace
}  // namespace palstudy
