// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "core/ids.hpp"
#include "sim/state/world.hpp"
#include "topology/gpu_set.hpp"
#include "topology/topology.hpp"
#include "workload/job_model.hpp"

namespace palstudy {

/// How fast a job runs: seconds per iteration = (slowdown x penalty) x iteration_s, multiplied in that order, which is
/// that of the published simulator (PAL, SC'24, artifact).
struct Rate {
  double slowdown = 1;     ///< of a plain job, the largest true slowdown of its GPUs
  double penalty = 1;      ///< of a plain job, that of the widest level that its GPUs span
  double iteration_s = 1;  ///< at slowdown 1 and penalty 1
  double stall = 1;        ///< factor on the penalty by effects

  [[nodiscard]] double stalled_penalty() const { return penalty * stall; }
  [[nodiscard]] double seconds_per_iteration() const { return (slowdown * stalled_penalty()) * iteration_s; }
};

/// Whether attempts at jobs fail by what is of their GPUs.
[[nodiscard]] inline bool faults_are_of_places(const World& world) {
  return world.failures != nullptr && world.failures->places.faults() != Faults::job;
}

/// The model of a job, null for the plain one.
[[nodiscard]] const JobModel* uncommon_model(const World& world, JobId job);

/// The rates of jobs on the GPUs of one partition: the only place where slowdown and penalty become the factors of a
/// rate. `Intervals::rate` makes a Rate of them. The slowdowns are the true ones, not the values of bins.
class RateModel {
 public:
  /// `partition`: its nodes and GPUs, which count from 0; its GPUs begin in the cluster at `first_gpu`. `partition` and
  /// `world` must outlive it.
  RateModel(const World& world, const Topology& partition, GpuId first_gpu);

  /// The factors of a job of class `cls` on these GPUs. Allocates nothing once it was called for the widest pipelined
  /// job.
  [[nodiscard]] SlowdownAndPenalty factors(JobId job, ClassId cls, const GpuSet& gpus);

  /// The largest true slowdown of some GPUs.
  [[nodiscard]] double slowest(ClassId cls, const GpuSet& gpus) const;

  /// The model of a job, null for the plain one, which nearly all jobs have.
  [[nodiscard]] const JobModel* uncommon_model(JobId job) const {
    return all_plain_ ? nullptr : palstudy::uncommon_model(world_, job);
  }
  /// GPUs of the job that have to be on one node: those of a tensor group, or 1.
  [[nodiscard]] std::uint32_t tensor_group(JobId job) const {
    const JobModel* model = uncommon_model(job);
    return model == nullptr ? 1 : model->tensor;
  }

  /// Prefetches the slowdowns that `factors` reads.
  void prefetch_slowdowns(ClassId cls, const GpuSet& gpus) const;

 private:
  [[nodiscard]] SlowdownAndPenalty factors_of_model(const JobModel* model, JobId job, ClassId cls, const GpuSet& gpus);
  [[nodiscard]] double slowest_of_some(ClassId cls, const NodeGpus& gpus) const;
  [[nodiscard]] double slowest(ClassId cls, const NodeGpus& gpus) const;
  template <class Take>
  void for_each_group(std::uint32_t tensor, ClassId cls, const GpuSet& gpus, Take take) const;

  const World& world_;
  const Topology& topology_;
  GpuId first_gpu_;
  std::vector<double> slowest_of_node_;  // [class][node], so that a job on whole nodes needs no look at each GPU
  bool all_plain_;                       // models of jobs
  PipelineTime pipeline_;
};

}  // namespace palstudy
