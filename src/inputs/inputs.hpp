// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/note.hpp"
#include "inputs/measured_jobs.hpp"
#include "sim/state/world.hpp"
#include "study/study.hpp"

namespace palstudy {

/// A node of a site.
struct SiteNode {
  std::string name;  ///< its host, or what the slurm.conf calls it; "" where neither is known
  bool measured = false;
};

/// Loads the inputs of runs, each distinct one once: clusters, bins, workloads. Not thread-safe.
class Inputs {
 public:
  /// `study` must outlive it.
  explicit Inputs(const Study& study);
  ~Inputs();
  Inputs(const Inputs&) = delete;
  Inputs& operator=(const Inputs&) = delete;
  /// Checks all inputs of all runs without simulating (the errors of bad data come from here), and returns the notes.
  std::vector<Note> check();
  /// The measured jobs, and their load, of the runs that `check` saw.
  [[nodiscard]] const std::vector<MeasuredSet>& measured() const;
  /// SHA-256 of every file read so far (all of them after `check`), by the path as written.
  [[nodiscard]] std::map<std::string, std::string> sha256() const;
  /// The measurements that clusters have been drawn from so far, by name.
  [[nodiscard]] std::vector<const Measurements*> measurements() const;
  /// The origin of these measurements: "bundled-kernels" (palstudy measure), "imported" (from elsewhere, some at
  /// least), "" (none).
  [[nodiscard]] std::string profile_origin() const;

  struct Loaded {
    const Topology& topology;
    const Slowdowns& truth;
    const Bins& believed;
    const Workload& workload;
    Penalties penalty, believed_penalty;
    const std::vector<JobModel>& job_models;  ///< by model of the workload
    std::optional<TenantRules> tenants;
    const FailureWorld* failures;  ///< null where no attempt fails
    Partitioning partitioning;
    std::vector<PartitionId> of_tenant;  ///< the partition of each tenant; empty where jobs are not routed by tenant
    const std::vector<Outage>& outages;
    const std::vector<double>& node_weights;  ///< by node; empty: all alike
    const EnergyModel* energy;                ///< null where energy is not accounted
    std::optional<PowerWorld> power;          ///< none: all nodes stay on
    const QueueRules* queues;                 ///< null where jobs may use all nodes
    const ShareTree* shares;                  ///< null where tenants share alike
    const StartRules* starts;                 ///< null where no job waits for others
  };
  Loaded load(const RunPlan& run);
  /// The cluster alone; `classes` are the measurements that it was drawn from, none for a table.
  struct LoadedCluster {
    const Topology& topology;
    const Slowdowns& truth;
    ClassMeasurements classes;
  };
  LoadedCluster load_cluster(const RunPlan& run);
  /// The nodes of a cluster that is the machine that was measured, one whose source uses `hosts`.
  [[nodiscard]] std::vector<SiteNode> site_nodes(const RunPlan& run);
  /// The notes about inputs, in order, each once.
  [[nodiscard]] const std::vector<Note>& notes() const;
  /// The blocks of the resampled trace with the fewest free ones (`workload.resample`); `none` without one.
  [[nodiscard]] TraceBlocks trace_blocks();
  [[nodiscard]] std::string cluster_key(const RunPlan& run) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace palstudy
