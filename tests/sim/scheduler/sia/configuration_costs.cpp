// SPDX-License-Identifier: MIT
#include "sim/scheduler/sia/configuration_costs.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "workload/elastic/batch_tuning.hpp"

namespace palstudy {
namespace {

using Costs = std::vector<std::int64_t>;

// 100 / sqrt(1), / sqrt(4) and / sqrt(16), less 110. A forbidden one costs 100 / sqrt(0.0001) = 10,000, so that to
// leave the job out, at 0, is cheaper.
TEST(ConfigurationCosts, AreTheInverseRootOfGoodput) {
  const auto normalized = normalized_goodputs(std::vector<double>{50, 200, 0, 800});
  EXPECT_EQ(normalized, std::vector<double>({1, 4, 0.0001, 16}));
  EXPECT_EQ(configuration_costs(normalized, 1, {}), Costs({-10, -60, 9890, -85}));
  EXPECT_EQ(normalized_goodputs(std::vector<double>{0, 0}), std::vector<double>({0.0001, 0.0001}));
}

// A rigid job of 4 GPUs counts from 4.
TEST(ConfigurationCosts, OfARigidJobBeginWithItsGpus) {
  EXPECT_EQ(normalized_goodputs(std::vector<double>{3, 12}, 4), std::vector<double>({4, 16}));
}

// The factor of a restart, 0.25, doubles costs, but of the configuration that is held; where none is held, of none. A
// factor of 0 takes them to the limit of 3,000.00.
TEST(ConfigurationCosts, OfARestartAreMore) {
  const std::vector<double> normalized = {1, 4};
  EXPECT_EQ(configuration_costs(normalized, 0.25, 1), Costs({200 - 110, 50 - 110}));
  EXPECT_EQ(configuration_costs(normalized, 0.25, {}), Costs({-10, -60}));
  EXPECT_EQ(configuration_costs(normalized, 0, 0), Costs({-10, 300'000 - 110}));
  EXPECT_EQ(configuration_costs(normalized, 1, 0, {-1, 2}), Costs({100 - 200, 25 - 200}));
}

// After 100 s, with restarts of 20 s: (100 - 20 k) / 120. Nobody is judged before a restart's time has gone by, and the
// factor does not fall below 0.
TEST(ConfigurationCosts, RestartsAreJudgedByAge) {
  EXPECT_DOUBLE_EQ(restart_factor(100, 0, 20), 100.0 / 120);
  EXPECT_DOUBLE_EQ(restart_factor(100, 3, 20), 40.0 / 120);
  EXPECT_EQ(restart_factor(100, 9, 20), 0);
  EXPECT_EQ(restart_factor(19, 9, 20), 1);
  EXPECT_EQ(restart_factor(0, 0, 0), 1);
}

// Goodputs are those of the best batch where a job may have so many GPUs, and 0 beyond. All slowdowns twice as large
// leave the costs: only ratios count.
TEST(ConfigurationCosts, AreOfTheBestBatchAndOfRatios) {
  const BatchLimits limits{128, 4096, 32};
  const std::vector<TypeTime> types = {{{0.03, 0.00042, 0.03, 0.001, 0.06, 0.0008, 1.8}, 1024},
                                       {{0.02, 0.0001, 0.006, 0.0004, 0.012, 0.0002, 1.5}, 2048}};
  std::vector<TypeTime> slower = types;
  for (TypeTime& type : slower) {
    StepTime& step = type.step;
    for (double* value : {&step.alpha_c, &step.beta_c, &step.alpha_r, &step.beta_r, &step.alpha_n, &step.beta_n}) {
      *value *= 2;
    }
  }
  const auto all = configurations(std::vector<TypeNodes>{{2, 4}, {1, 8}});
  for (const double noise : {50.0, 2000.0, 90000.0}) {
    const auto goodputs = configuration_goodputs(limits, types, all, 4, noise);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const double best = best_batch(limits, types[all[i].type], all[i].shape, noise).goodput;
      EXPECT_EQ(goodputs[i], all[i].shape.gpus <= 4 ? best : 0);
    }
    const auto doubled = configuration_goodputs(limits, slower, all, 4, noise);
    EXPECT_EQ(configuration_costs(normalized_goodputs(doubled), 0.7, 2),
              configuration_costs(normalized_goodputs(goodputs), 0.7, 2));
  }
}

// A rigid job of 6 GPUs spans two nodes of 4 and is on one of 8; a type of one node of 4 has not so many.
TEST(ConfigurationCosts, RigidJobsFillNodes) {
  const StepTime step{0.1, 0.001, 0.2, 0, 0.8, 0, 1};
  const std::vector<TypeTime> types(3, {step, 1000});
  const auto throughputs =
      type_throughputs({60, 600, 1}, types, std::vector<TypeNodes>{{2, 4}, {1, 8}, {1, 4}}, 6, 600);
  EXPECT_DOUBLE_EQ(throughputs[0], 600 / (0.1 + 0.1 + 0.8));
  EXPECT_DOUBLE_EQ(throughputs[1], 600 / (0.1 + 0.1 + 0.2));
  EXPECT_EQ(throughputs[2], 0);
}

}  // namespace
}  // namespace palstudy
