// SPDX-License-Identifier: MIT
#include "workload/elastic/elastic_model.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "drawn_elastic.hpp"

namespace palstudy {
namespace {

// An epoch ends at a product, and what has reached it is in the next one, also where the quotient of both is rounded
// down: of 0.1 iterations, for one.
TEST(ElasticModel, ProgressAtTheEndOfAnEpochIsInTheNext) {
  for (const double iterations : {0.1, 1.0 / 3, 0.7, 500.0, 1234.567}) {
    const Epochs epochs{90, iterations};
    EXPECT_EQ(epochs.at(0), 0u);
    for (std::uint32_t epoch = 0; epoch + 1 < epochs.count; ++epoch) {
      EXPECT_EQ(epochs.at(epochs.end(epoch)), epoch + 1);
      EXPECT_EQ(epochs.at(std::nextafter(epochs.end(epoch), 0)), epoch);
    }
    EXPECT_EQ(epochs.at(epochs.work()), 89u);
    EXPECT_EQ(epochs.work(), iterations * 90);
  }
}

// The first epoch has the first noise, the last the last; a job of one epoch has the first.
TEST(ElasticModel, NoiseGoesFromTheFirstToTheLastEpoch) {
  ElasticModel model;
  model.noise.knots = {{0, 10}, {1, 1000}};
  model.epochs = {3, 50};
  EXPECT_DOUBLE_EQ(model.noise_in(0), 10);
  EXPECT_NEAR(model.noise_in(1), 100, 1e-10);
  EXPECT_DOUBLE_EQ(model.noise_in(2), 1000);
  model.epochs.count = 1;
  EXPECT_DOUBLE_EQ(model.noise_in(0), 10);
}

// Goodput counts samples and speed counts iterations at the initial batch: the same in other units. With the initial
// batch on one median GPU both are what they are for a rigid job.
TEST(ElasticModel, SpeedIsGoodputInIterations) {
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const ElasticCase drawn = drawn_case(i);
    const Batch batch{drawn.limits.initial, drawn.shape.nodes};
    const double speed = iterations_per_s(drawn.limits, drawn.type.step, drawn.shape, batch, drawn.noise, drawn.slow);
    const double of = goodput(drawn.limits, drawn.type.step, drawn.shape, batch, drawn.noise, drawn.slow);
    EXPECT_NEAR(speed * drawn.limits.initial, of, 1e-12 * of);
    const Batch initial{drawn.limits.initial, 0};
    EXPECT_EQ(iterations_per_s(drawn.limits, drawn.type.step, {1, 1}, initial, drawn.noise),
              1 / pass_s(drawn.type.step, initial.local));
  }
}

// Jobs begin with one GPU and double; 64 are the most, and each needs the smallest pass.
TEST(ElasticModel, JobsGrowByDoubling) {
  const BatchLimits wide{128, 4096, 32}, narrow{128, 100, 32}, none{8, 8, 16};
  EXPECT_EQ(growth_limit(wide, 0), 1u);
  EXPECT_EQ(growth_limit(wide, 1), 2u);
  EXPECT_EQ(growth_limit(wide, 33), 64u);
  EXPECT_EQ(growth_limit(wide, 4'000'000'000), 64u);
  EXPECT_EQ(growth_limit(wide, 40, 100), 80u);
  EXPECT_EQ(growth_limit(narrow, 8), 3u);
  EXPECT_EQ(growth_limit(none, 8), 1u);
}

}  // namespace
}  // namespace palstudy
