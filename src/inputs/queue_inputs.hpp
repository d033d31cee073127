// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "inputs/input_files.hpp"
#include "policy/queue_rules.hpp"
#include "study/run_plan.hpp"
#include "study/slurm_conf.hpp"
#include "topology/topology.hpp"

namespace palstudy {

/// The queues of a study's runs: `slurm.queues`, a CSV with the columns queue, nodes, tier, default_min and max_min, or
/// a slurm.conf. The first queue is that of jobs that name none. Errors (data, file:line:column): no queue, one given
/// twice, nodes that are not there.
class QueueInputs {
 public:
  explicit QueueInputs(InputFiles& files) : files_(files) {}

  /// Gives each job without a limit its queue's: the default one, or else the longest. Errors (data): a job of no such
  /// queue, or with a longer limit than its queue allows.
  void limit_jobs(const RunPlan& run, Workload& workload);
  /// Null in runs without queues. Errors (data): a job that wants more GPUs than its queue has.
  const QueueRules* of(const RunPlan& run, const Workload& workload, const Topology& topology);

 private:
  const std::vector<SlurmQueue>& queues(const RunPlan& run);

  InputFiles& files_;
  std::map<std::string, std::unique_ptr<std::vector<SlurmQueue>>> queues_;
  std::map<std::string, std::unique_ptr<QueueRules>> rules_;
};

}  // namespace palstudy
