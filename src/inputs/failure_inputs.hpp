// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>

#include "inputs/workload_inputs.hpp"

namespace palstudy {

/// How attempts at the jobs of a study's runs fail: tables of failures, the bundled ones by name, others by path.
class FailureInputs {
 public:
  FailureInputs(InputFiles& files, ClusterInputs& clusters, WorkloadInputs& workloads)
      : files_(files), clusters_(clusters), workloads_(workloads) {}

  /// Null where no attempt fails.
  const FailureWorld* of(const RunPlan& run);

 private:
  const FailureTable& table(const std::string& written);

  InputFiles& files_;
  ClusterInputs& clusters_;
  WorkloadInputs& workloads_;
  std::map<std::string, std::unique_ptr<FailureTable>> tables_;
  std::map<std::string, std::unique_ptr<FailureWorld>> worlds_;
};

}  // namespace palstudy
