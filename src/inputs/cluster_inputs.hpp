// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "inputs/input_files.hpp"
#include "inputs/profile/profile_inputs.hpp"
#include "variability/sources/knowledge.hpp"

namespace palstudy {

/// The clusters of a study's runs, each made once: topology, slowdowns, and the beliefs of the policies about them.
class ClusterInputs {
 public:
  ClusterInputs(InputFiles& files, ProfileInputs& profiles) : files_(files), profiles_(profiles) {}

  const Topology& topology(const RunPlan& run);
  const Slowdowns& truth(const RunPlan& run);
  const Bins& believed(const RunPlan& run);
  /// Degrees Celsius of the measured GPU that each GPU was drawn from, by class, then GPU, `[c * gpus + g]`. Errors
  /// (usage): a cluster of a table; a class that stands on a measurement without temperatures.
  const std::vector<double>& temperatures_c(const RunPlan& run);

 private:
  Slowdowns draw_cluster(const RunPlan& run, RunsUsed runs);
  Slowdowns make_truth(const RunPlan& run);
  std::vector<double> draw_temperatures(const RunPlan& run);
  /// The believed slowdowns where they are not the true ones.
  Slowdowns belief(const RunPlan& run);
  /// By class, confirmed_outliers_from of its measurements; empty where GPUs are not drawn as they were measured.
  std::vector<double> outliers_from(const RunPlan& run);
  std::vector<ClassSpread> spreads(const RunPlan& run);

  InputFiles& files_;
  ProfileInputs& profiles_;
  std::map<std::string, std::unique_ptr<Topology>> topologies_;
  std::map<std::string, std::unique_ptr<Slowdowns>> truths_;
  std::map<std::string, std::unique_ptr<Bins>> bins_;
  std::map<std::string, std::unique_ptr<std::vector<double>>> temperatures_;
};

}  // namespace palstudy
