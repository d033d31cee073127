// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "inputs/cluster_inputs.hpp"
#include "inputs/queue_inputs.hpp"
#include "inputs/tenant_inputs.hpp"
#include "workload/synthetic/generator.hpp"
#include "workload/trace/trace_reader.hpp"

namespace palstudy {

/// The jobs of a study's runs, each workload made once.
class WorkloadInputs {
 public:
  WorkloadInputs(InputFiles& files, ClusterInputs& clusters, TenantInputs& tenants, QueueInputs& queues)
      : files_(files), clusters_(clusters), tenants_(tenants), queues_(queues) {}

  /// The jobs, with the classes of the run's cluster.
  const Workload& workload(const RunPlan& run);
  /// The blocks of the trace of a run with `workload.resample`.
  TraceBlocks trace_blocks(const RunPlan& run);
  /// Whether the trace of a run says when jobs started, once its jobs are made.
  [[nodiscard]] bool records_starts(const RunPlan& run) const { return with_starts_.contains(run.workload.trace); }
  /// How the jobs run, by model of `workload`.
  const std::vector<JobModel>& job_models(const RunPlan& run);

 private:
  [[nodiscard]] TraceContext trace_context(const RunPlan& run) const;
  Workload make_workload(const RunPlan& run);
  void give_classes(const RunPlan& run, Workload& read);
  /// A trace whose times count from another day is made to begin at time 0.
  void shift(const RunPlan& run, Workload& read);
  void leave_out_wider(const RunPlan& run, Workload& made);
  void leave_out_initial(const RunPlan& run, Workload& made);
  Workload generate(const RunPlan& run);
  /// For messages: the trace with the line of its first job of a class that the cluster lacks, or the generator's key.
  /// `used`: the classes of the jobs; `classes`: those of the cluster.
  [[nodiscard]] std::string where_jobs_are(const RunPlan& run, const std::vector<std::string>& used,
                                           const std::vector<std::string>& classes) const;
  void note_uncalibrated(const RunPlan& run, const Workload& made);
  /// With `workload.resample`: draws new blocks of the trace.
  void resample_jobs(const RunPlan& run, Workload& workload);
  /// With `workload.copies`: lays the trace over itself.
  void copy_jobs(const RunPlan& run, Workload& workload);

  InputFiles& files_;
  ClusterInputs& clusters_;
  TenantInputs& tenants_;
  QueueInputs& queues_;
  std::map<std::string, std::unique_ptr<Workload>> workloads_;
  std::map<std::string, std::unique_ptr<Workload>> traces_;  ///< as they were read, where they are resampled
  std::map<std::string, TraceBlocks> blocks_;                ///< by text of the workload, where it is resampled
  std::map<std::string, std::unique_ptr<std::vector<JobModel>>> job_models_;
  GeneratorFiles generator_files_;
  std::set<std::string> with_starts_;  ///< traces
};

}  // namespace palstudy
