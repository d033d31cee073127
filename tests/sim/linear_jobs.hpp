// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "workload/elastic/elastic_jobs.hpp"

namespace palstudy {

/// Elastic jobs that take 1 s for an iteration on one GPU with their batch of 32 samples. A pass takes 1/32 s a sample,
/// GPUs exchange nothing, and no batch helps more than another: n GPUs with a batch of b take b / 32 / n seconds.
inline std::shared_ptr<ElasticJobs> linear_jobs(std::size_t jobs, Epochs epochs = {1, 1e12}) {
  constexpr std::uint32_t batch = 32;
  auto made = std::make_shared<ElasticJobs>();
  ElasticModel& model = made->models.emplace_back();
  model.limits = {.initial = batch, .most = 100 * batch, .min_local = 1};
  model.types = {{.step = {.beta_c = 1.0 / batch}, .max_local = batch}};
  model.epochs = epochs;
  made->elasticity = Elasticity::counts;
  made->model_of.assign(jobs, 0);
  made->batch.assign(jobs, batch);
  return made;
}

}  // namespace palstudy
