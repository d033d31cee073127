// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "cluster/free_gpus.hpp"
#include "core/registry.hpp"
#include "policy/view.hpp"

namespace palstudy {

/// One job that wants GPUs.
struct Request {
  JobId job;
  ClassId cls;
  std::uint32_t gpus = 0;
  double now_s = 0;
};

/// What a placement policy is made with.
struct PlacementContext {
  const Topology& topology;
  const Bins& bins;
  Penalties believed_penalty;                 ///< `policy.locality`
  std::uint64_t seed = 1;                     ///< `policy.seed`
  const Workload* workload = nullptr;         ///< the jobs and what their models need; null: not known
  std::span<const double> node_weights = {};  ///< by node of the partition, lightest first; empty: all alike
};

/// Nodes with so many free GPUs each.
struct NodeDemand {
  std::uint32_t nodes = 0, of_each = 0;
  friend bool operator==(const NodeDemand&, const NodeDemand&) = default;
};

/// Which GPUs.
class PlacementPolicy {
 public:
  virtual ~PlacementPolicy() = default;

  /// A sticky policy leaves running jobs where they are; the others place every job again at every boundary.
  [[nodiscard]] virtual bool sticky() const = 0;
  /// Whether the same jobs in the same order and the same free GPUs give the same choice again. Where not, every
  /// boundary is visited.
  [[nodiscard]] virtual bool repeatable() const { return true; }
  /// Whether a sticky policy lets a running job move to what `choose` would give it now, where the time that this saves
  /// exceeds `engine.migration_s` (the rule: sim/scheduler/list/migration.hpp). Such a policy needs the counts of bins,
  /// exact and up to.
  [[nodiscard]] virtual bool moves_running() const { return false; }
  /// Whether it looks at `PlacementContext::node_weights`.
  [[nodiscard]] virtual bool weighs_nodes() const { return false; }
  /// Whether a job may have to wait although enough GPUs are free, for fewer nodes. A part of a job on several
  /// partitions must not be refused. Such a policy needs the counts of all GPUs, by which what it refuses for good is
  /// packed (sim/scheduler/gavel), and takes of more free GPUs whom it takes of fewer.
  [[nodiscard]] virtual bool may_refuse() const { return false; }
  /// The nodes without which a job is refused, of a policy that may. No nodes: that hangs on more.
  [[nodiscard]] virtual NodeDemand demand(const Request& request, std::uint32_t widest_node) const {
    return (void)request, (void)widest_node, NodeDemand();
  }
  /// What it will ask the index of free GPUs.
  [[nodiscard]] virtual IndexNeeds needs() const = 0;
  /// Whether the head, the longest prefix of the order that fits the cluster together, is placed class by class, the
  /// order within a class unchanged (non-sticky policies only).
  [[nodiscard]] virtual bool by_class() const { return false; }
  /// Chooses GPUs for a request; false if it does not fit. Fills `out` (empty before) in any order, takes nothing.
  virtual bool choose(const Request& request, FreeGpus& free, GpuSet& out) = 0;
};

using MakePlacement = std::function<std::unique_ptr<PlacementPolicy>(const PlacementContext&, const ParamValues&)>;
using PlacementRegistry = Registry<MakePlacement>;

/// Every placement policy of the program.
[[nodiscard]] const PlacementRegistry& placements();

}  // namespace palstudy
