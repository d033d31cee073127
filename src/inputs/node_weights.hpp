// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "inputs/input_files.hpp"
#include "study/run_plan.hpp"
#include "topology/topology.hpp"

namespace palstudy {

/// The weights of nodes in a study's runs, from CSV files with the columns node and weight, or from a slurm.conf.
class NodeWeightInputs {
 public:
  explicit NodeWeightInputs(InputFiles& files) : files_(files) {}

  /// By node; empty in runs without a file. Nodes that the file leaves out weigh 1, as in Slurm. Errors (data,
  /// file:line:column): no such node, a node given twice, a negative weight.
  const std::vector<double>& of(const RunPlan& run, const Topology& topology);

 private:
  InputFiles& files_;
  std::map<std::string, std::unique_ptr<std::vector<double>>> weights_;
};

}  // namespace palstudy
