// SPDX-License-Identifier: MIT
#include "inputs/partition_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "inputs/input_texts.hpp"
#include "study/keys/key_names.hpp"

namespace palstudy {
namespace {

Error refused(const RunPlan& run, const Job& job, const std::string& what, const std::string& advice) {
  return data_error(fmt::format("job {} {}", job.id, what), jobs_of(run), advice);
}

}  // namespace

Partitioning partitioning_of(const RunPlan& run, const Topology& topology) {
  if (run.cluster.partition_sizes.empty()) return {topology, run.cluster.partitions};
  std::vector<std::uint32_t> gpus;
  for (const auto& [tenant, size] : run.cluster.partition_sizes) gpus.push_back(size);
  return {topology, gpus};
}

std::string partitioning_text(const RunPlan& run) {
  std::string text = fmt::format("{} partitions {}", run.cluster.partitions, run.policy.routing);
  for (const auto& [tenant, size] : run.cluster.partition_sizes) text += fmt::format(" {}={}", tenant, size);
  return text;
}

std::vector<PartitionId> partitions_of_tenants(const RunPlan& run, const Workload& workload) {
  if (run.policy.routing != "tenant") return {};
  const auto& sizes = run.cluster.partition_sizes;
  std::vector<PartitionId> of_tenant;
  for (const std::string& tenant : workload.tenants) {
    const auto found = std::find_if(sizes.begin(), sizes.end(), [&](const auto& size) { return size.first == tenant; });
    of_tenant.emplace_back(static_cast<std::size_t>(found - sizes.begin()));
  }
  for (const Job& job : workload.jobs) {
    const std::size_t p = of_tenant[job.tenant].index();
    const std::string& tenant = workload.tenants[job.tenant];
    if (p == sizes.size()) {
      throw refused(
          run, job,
          tenant.empty() ? "names no tenant" : fmt::format("is of the tenant \"{}\", which has no partition", tenant),
          fmt::format("give every tenant one in {}", keys::partitions.name));
    }
    if (job.gpus <= sizes[p].second) continue;
    throw refused(
        run, job,
        fmt::format("wants {} GPUs, but the partition of its tenant \"{}\" has {}", job.gpus, tenant, sizes[p].second),
        fmt::format("make that partition larger in {}, or leave the job out", keys::partitions.name));
  }
  return of_tenant;
}

}  // namespace palstudy
