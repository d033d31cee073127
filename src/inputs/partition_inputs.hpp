// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "study/run_plan.hpp"
#include "topology/partitioning.hpp"
#include "workload/job.hpp"

namespace palstudy {

/// The partitions of a run, as equal as can be or of given sizes.
[[nodiscard]] Partitioning partitioning_of(const RunPlan& run, const Topology& topology);
/// Equal for runs with the same partitions, by number, size and tenant.
[[nodiscard]] std::string partitioning_text(const RunPlan& run);
/// The partition of each tenant of the workload; empty where jobs are not routed by tenant. Errors (data): a job whose
/// tenant has no partition, or one that is too small for it.
[[nodiscard]] std::vector<PartitionId> partitions_of_tenants(const RunPlan& run, const Workload& workload);

}  // namespace palstudy
