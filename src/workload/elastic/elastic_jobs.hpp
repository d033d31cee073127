// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "core/ids.hpp"
#include "workload/elastic/batch_tuning.hpp"
#include "workload/elastic/elastic_model.hpp"

namespace palstudy {

/// What of a job may change while it runs.
enum class Elasticity : std::uint8_t {
  none,              ///< nothing: it has the GPUs and the batch that its user asks for
  counts,            ///< the number of its GPUs
  counts_and_batch,  ///< and its batch, which it chooses itself after every epoch
};

/// The jobs of a run whose speed follows from their shape and batch.
struct ElasticJobs {
  Elasticity elasticity = Elasticity::none;
  SlowKind slow = SlowKind::whole;
  double restart_s = std::numeric_limits<double>::quiet_NaN();  ///< NaN: that of the model
  std::vector<ElasticModel> models;
  std::vector<std::uint16_t> model_of;      ///< by JobId, into `models`
  std::vector<std::uint32_t> batch;         ///< by JobId, in samples: of jobs that do not choose theirs
  std::vector<std::uint32_t> type_of_node;  ///< by node of the cluster, into the types of models; empty: all are 0

  [[nodiscard]] const ElasticModel& model(JobId job) const { return models[model_of[job.index()]]; }
  [[nodiscard]] std::uint32_t type(NodeId node) const { return type_of_node.empty() ? 0 : type_of_node[node.index()]; }
  /// What a start or a change of its GPUs costs a job, in seconds.
  [[nodiscard]] double restart_of(JobId job) const { return restart_s >= 0 ? restart_s : model(job).restart_s; }
};

/// Where and when a job computes.
struct ElasticPlace {
  JobShape shape;
  std::uint32_t type = 0;   ///< of its GPUs
  std::uint32_t epoch = 0;  ///< of the job
  SlowGpus slow = {};
};

/// The batch that a job trains with there: `samples` of them, or with 0 what the job chooses or its user asks for.
[[nodiscard]] Batch batch_there(const ElasticJobs& jobs, JobId job, const ElasticPlace& place,
                                std::uint32_t samples = 0);

/// Seconds for an iteration's progress at the initial batch: the time of an iteration / its gain.
[[nodiscard]] double seconds_per_iteration(const ElasticJobs& jobs, JobId job, const ElasticPlace& place,
                                           const Batch& batch);

}  // namespace palstudy
