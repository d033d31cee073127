// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/ids.hpp"
#include "policy/fair_share.hpp"
#include "policy/start_rules.hpp"
#include "topology/penalties.hpp"
#include "variability/binning/bins.hpp"
#include "workload/job.hpp"
#include "workload/job_table.hpp"

namespace palstudy {

/// The believed slowdown that a job can expect of a partition before it is placed.
class ExpectedSlowdowns {
 public:
  explicit ExpectedSlowdowns(const Bins& bins);

  /// The mean of the slowest of `gpus` GPUs of the partition, drawn with replacement.
  [[nodiscard]] double slowest(ClassId cls, std::uint32_t gpus) const;

 private:
  struct Bin {
    double value, share_up_to;  ///< of the GPUs, in this bin or a faster one
  };
  std::vector<std::vector<Bin>> bins_;  // by class
};

/// What a policy may see of a partition at one instant. Nothing in it can be written.
struct View {
  double now_s = 0;
  double round_s = 0;
  std::uint32_t gpus = 0;  ///< of the partition
  const std::vector<Job>& jobs;
  const OwnJobs& table;
  const Penalties& believed_penalty;  ///< `policy.locality`
  const ExpectedSlowdowns& expected_slowdown;
  std::uint32_t nodes = 1;             ///< of the partition
  std::uint32_t gpus_per_node = 1;     ///< of its widest node
  const ShareTree* shares = nullptr;   ///< accounts and users; null: each tenant shares alike
  const StartRules* starts = nullptr;  ///< null: no job waits for others

  [[nodiscard]] const Job& job(JobId id) const { return jobs[id.index()]; }
  /// GPU-seconds that the job is predicted to need; its true ones at slowdown 1 where nothing is predicted.
  [[nodiscard]] double predicted_gpu_s(JobId id) const {
    return table.predicts() ? table.predicted_gpu_s(id) : job(id).ideal_s() * job(id).gpus;
  }
};

}  // namespace palstudy
