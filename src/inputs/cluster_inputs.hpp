// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "archive/cluster_file.hpp"
#include "inputs/input_files.hpp"
#include "inputs/inputs.hpp"
#include "inputs/profile/profile_inputs.hpp"
#include "study/run_plan.hpp"
#include "study/study.hpp"
#include "topology/partitioning.hpp"
#include "variability/sources/knowledge.hpp"
#include "workload/job.hpp"

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

/// The distinct clusters of a study's runs for an archive; of large drawn ones the recipe alone.
[[nodiscard]] std::vector<ClusterRecord> archived_clusters(const Study& study, Inputs& inputs);

/// The distinct clusters of a study's runs, whole, with their checks. `inputs` must outlive them.
[[nodiscard]] std::vector<CheckedCluster> checked_clusters(const Study& study, Inputs& inputs);

/// The partitions of a run, as equal as can be or of given sizes.
[[nodiscard]] Partitioning partitioning_of(const RunPlan& run, const Topology& topology);
/// Equal for runs with the same partitions, by number, size and tenant.
[[nodiscard]] std::string partitioning_text(const RunPlan& run);
/// The partition of each tenant of the workload; empty where jobs are not routed by tenant. Errors (data): a job whose
/// tenant has no partition, or one that is too small for it.
[[nodiscard]] std::vector<PartitionId> partitions_of_tenants(const RunPlan& run, const Workload& workload);

}  // namespace palstudy
