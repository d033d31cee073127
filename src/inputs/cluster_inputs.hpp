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
#include "variability/sources/belief.hpp"
#include "variability/sources/cluster_source.hpp"
#include "workload/job.hpp"

namespace palstudy {

/// The clusters of a study's runs, each made once: topology, slowdowns, and the beliefs of the policies about them.
class ClusterInputs {
 public:
  ClusterInputs(InputFiles& files, ProfileInputs& profiles);

  const Topology& topology(const RunPlan& run);
  const Slowdowns& truth(const RunPlan& run) { return cluster(run).slowdowns; }
  const Bins& believed(const RunPlan& run);
  /// Degrees Celsius of the measured GPU that each GPU was drawn from, by class, then GPU, `[c * gpus + g]`. Errors
  /// (usage): GPUs that are drawn from none; a class that stands on a measurement without temperatures.
  const std::vector<double>& temperatures_c(const RunPlan& run);
  /// The nodes of a cluster whose source uses `hosts`.
  std::vector<SiteNode> site_nodes(const RunPlan& run);
  /// The measurements of each class that the cluster is drawn from; none for a source without a profile.
  ClassMeasurements classes(const RunPlan& run);

 private:
  const DrawnCluster& cluster(const RunPlan& run);
  DrawnCluster draw(const RunPlan& run, RunsUsed runs);
  /// The names of nodes in a slurm.conf.
  std::vector<std::string> host_names(const std::string& written);
  /// By class, confirmed_outliers_from of its measurements; empty where GPUs are not drawn as they were measured.
  std::vector<double> outliers_from(const RunPlan& run);
  std::vector<ClassSpread> spreads(const RunPlan& run);

  InputFiles& files_;
  ProfileInputs& profiles_;
  std::map<std::string, std::unique_ptr<Topology>> topologies_;
  bool keeps_gpus_;  // of drawn clusters, for their temperatures
  std::map<std::string, std::unique_ptr<DrawnCluster>> clusters_;
  std::map<std::string, std::unique_ptr<Bins>> bins_;
  std::map<std::string, std::unique_ptr<std::vector<double>>> temperatures_;
};

/// Whether the policies of a run ask how hot GPUs are.
[[nodiscard]] bool wants_temperatures(const RunPlan& run);

/// Whether an archive has the slowdowns of a run's cluster, and not its recipe alone.
[[nodiscard]] bool archived_whole(const RunPlan& run);
/// The distinct clusters of a study's runs for an archive; of large drawn ones the recipe alone.
[[nodiscard]] std::vector<ClusterRecord> archived_clusters(const Study& study, Inputs& inputs);

/// The distinct clusters of a study's runs, whole, with their checks. `inputs` must outlive them.
[[nodiscard]] std::vector<CheckedCluster> checked_clusters(const Study& study, Inputs& inputs);

/// The partitions of a run, as equal as can be or of given sizes.
[[nodiscard]] Partitioning partitioning_of(const RunPlan& run, const Topology& topology);
/// The partition of each tenant of the workload; empty where jobs are not routed by tenant. Errors (data): a job whose
/// tenant has no partition, or one that is too small for it.
[[nodiscard]] std::vector<PartitionId> partitions_of_tenants(const RunPlan& run, const Workload& workload);

}  // namespace palstudy
