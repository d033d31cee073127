// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "inputs/input_files.hpp"
#include "inputs/workload_inputs.hpp"
#include "sim/state/world.hpp"

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

/// The outages of nodes in a study's runs, from CSV files with the columns node, from_s, to_s and kind.
class OutageInputs {
 public:
  explicit OutageInputs(InputFiles& files) : files_(files) {}

  /// None in runs without a file. Errors (data, file:line:column): no such node, an outage that does not end after it
  /// begins, a kind that is neither drain nor down.
  const std::vector<Outage>& of(const RunPlan& run, const Topology& topology);

 private:
  InputFiles& files_;
  std::map<std::string, std::unique_ptr<std::vector<Outage>>> outages_;
};

}  // namespace palstudy
