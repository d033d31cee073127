// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "workload/synthetic/drawn_models.hpp"
#include "workload/synthetic/job_sources.hpp"
#include "workload/synthetic/tenant_distribution.hpp"

namespace palstudy {

/// The jobs that a cluster in its steady state is found with: met in proportion to how long they run, with what is left
/// of their lives (renewal theory; Feller, vol. 2, section XI.4).
struct RunningJobs {
  const std::vector<JobSource>& sources;
  const TenantDistribution& tenants;
  const DrawnModels& models;
  std::uint64_t seed = 1;

  /// Adds jobs submitted at time 0 with ids ..., -2, -1, that together want as many GPUs as are busy on average at this
  /// load: rho x `cluster_gpus`, or all of them where rho is over 1. They fit into the cluster.
  void add(double rho, std::uint32_t cluster_gpus, std::vector<Job>& out) const;
};

}  // namespace palstudy
