// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "core/random.hpp"
#include "workload/elastic/best_set.hpp"
#include "workload/elastic/elastic_model.hpp"

namespace palstudy {

/// A model on one type of GPUs, a shape, a noise scale and slow GPUs.
struct ElasticCase {
  BatchLimits limits;
  TypeTime type;
  JobShape shape;
  double noise = 0;
  SlowGpus slow;
};

/// Draws by the number of the case, as wide as published fits and beyond them.
class ElasticDraws {
 public:
  explicit ElasticDraws(std::uint64_t number) : number_(number) {}

  double uniform(double least, double most) {
    const auto words = draw(77, Purpose::cluster_draw, number_, counter_++);
    return least + (most - least) * (static_cast<double>(words[0]) / 4294967296.0);
  }
  double log_uniform(double least, double most) { return std::exp(uniform(std::log(least), std::log(most))); }
  std::uint32_t count(std::uint32_t least, std::uint32_t most) {
    return static_cast<std::uint32_t>(uniform(least, most + 1.0));
  }

 private:
  std::uint64_t number_;
  std::uint32_t counter_ = 0;
};

inline ElasticCase drawn_case(std::uint64_t number) {
  ElasticDraws draws(number);
  ElasticCase drawn;
  drawn.limits.initial = draws.count(8, 256);
  drawn.limits.most = drawn.limits.initial * draws.count(1, 64);
  drawn.limits.min_local = draws.count(1, drawn.limits.initial);
  drawn.type.max_local = drawn.limits.min_local * draws.count(1, 32);
  StepTime& step = drawn.type.step;
  step.alpha_c = draws.log_uniform(0.01, 1);
  step.beta_c = draws.log_uniform(1e-5, 0.05);
  step.alpha_r = draws.log_uniform(0.001, 1);
  step.beta_r = draws.uniform(0, 0.02);
  step.alpha_n = step.alpha_r * draws.uniform(1, 4);  // a network is not faster than a node
  step.beta_n = step.beta_r * draws.uniform(1, 4);
  step.gamma = draws.uniform(1, 10);
  drawn.shape.gpus = draws.count(1, 24);
  drawn.shape.nodes = draws.count(1, drawn.shape.gpus);
  drawn.noise = draws.log_uniform(1, 1e5);
  drawn.slow = {draws.count(0, 1) == 0 ? SlowKind::whole : SlowKind::split, draws.uniform(0.9, 3), draws.uniform(1, 3)};
  return drawn;
}

}  // namespace palstudy
