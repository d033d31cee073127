// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sim/scheduler/locality_relaxation.hpp"
#include "sim/scheduler/tenant_accounting.hpp"
#include "sim/state/running_set.hpp"

namespace palstudy {

/// Whose turn it is: of the tenants that have jobs left, the one that uses the least share of its quota on paper; ties:
/// the lowest. Each has its jobs in the order of the order policy.
class TenantTurns {
 public:
  explicit TenantTurns(const TenantRules& rules) : rules_(rules), queues_(rules.quota.size()) {}

  /// A walk begins with so many GPUs in use by tenant.
  void begin(const std::vector<std::uint64_t>& used);
  void add(std::uint16_t tenant, JobId job);
  /// All tenants with jobs have their turn.
  void deal();
  /// Whose turn it is, until it is called the next time: the tenant goes through its jobs as long as its share stays.
  [[nodiscard]] std::optional<std::uint16_t> next();
  /// The next job of a tenant; nothing if there is none left.
  [[nodiscard]] std::optional<JobId> job(std::uint16_t tenant);
  /// Keeps the job just given for after the next `deal`; all others are gone then.
  void keep(std::uint16_t tenant, JobId job);
  /// What a tenant uses has changed.
  void use(std::uint16_t tenant, std::int64_t gpus);
  [[nodiscard]] std::uint64_t used(std::uint16_t tenant) const { return used_[tenant]; }
  [[nodiscard]] bool within(std::uint16_t tenant, std::uint32_t more) const {
    return rules_.within(tenant, used_[tenant] + more);
  }

 private:
  struct Queue {
    std::vector<JobId> jobs;
    std::size_t next = 0, kept = 0;
  };
  using Turn = std::pair<double, std::uint16_t>;  // share, tenant
  void push(std::uint16_t tenant);

  const TenantRules& rules_;
  std::vector<Queue> queues_;
  std::vector<std::uint16_t> present_;  // tenants with jobs
  std::vector<std::uint64_t> used_;
  std::vector<Turn> heap_;  // may hold turns that are out of date
};

/// A part of a gang that waits for the rest. The GPUs stand in Partition::held_ at the same place.
struct GangPart {
  Boundary since, expires;
};

/// What a partition keeps where there are tenants.
struct Tenancy {
  Tenancy(const TenantRules& of, const Workload& workload, const Topology& topology)
      : rules(of), book(of, workload), sealed(topology.nodes(), 0), ladder(topology), turns(of) {}

  const TenantRules& rules;
  TenantBook book;
  std::vector<GangPart> parts;
  std::vector<GpuMask>
      sealed;  ///< by node: free GPUs that nobody may take beside the job that the node is dedicated to
  // Of the walk under way.
  Ladder ladder;
  TenantTurns turns;
  std::uint32_t unmet = UINT32_MAX;    ///< stopping does not give so many GPUs, nor more
  std::uint32_t no_room = UINT32_MAX;  ///< moving others together gives no nodes to jobs of so many GPUs
  bool freed = false;                  ///< GPUs have become free in the midst of it
  bool held = false;                   ///< somebody has taken a part
  Boundary next_change = never;        ///< at which the walk could go otherwise by itself
  GpuSet wish;
  std::vector<NodeId> nodes;
  GpuSet hidden, broken;
};

}  // namespace palstudy
