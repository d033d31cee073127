// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>

#include "inputs/input_files.hpp"
#include "study/run_plan.hpp"
#include "topology/topology.hpp"
#include "workload/elastic/elastic_jobs.hpp"
#include "workload/job.hpp"

namespace palstudy {

/// The elastic jobs of runs.
class ElasticInputs {
 public:
  explicit ElasticInputs(InputFiles& files) : files_(files) {}

  /// Null in runs whose jobs are rigid. Of a job that chooses no batch it is the best one for the GPUs of the trace.
  const ElasticJobs* of(const RunPlan& run, const Workload& workload, const Topology& topology);

 private:
  InputFiles& files_;
  std::map<std::string, std::unique_ptr<ElasticJobs>> jobs_;
};

}  // namespace palstudy
