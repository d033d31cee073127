// SPDX-License-Identifier: MIT
#include <vector>

#include "policy/routing_policy.hpp"

namespace palstudy {
namespace {

class TenantRouting final : public RoutingPolicy {
 public:
  explicit TenantRouting(const RoutingContext& context)
      : of_tenant_(context.of_tenant.begin(), context.of_tenant.end()) {}
  [[nodiscard]] bool fixes_partitions() const override { return true; }
  [[nodiscard]] PartitionId route(JobId, const Job& job, const Summaries&) const override {
    return of_tenant_.at(job.tenant);
  }

 private:
  std::vector<PartitionId> of_tenant_;
};

}  // namespace

void register_routing_tenant(RoutingRegistry& registry) {
  registry.add(
      {"tenant",
       "To the partition of the job's tenant in cluster.partitions; queues are not levelled.",
       {},
       [](const RoutingContext& context, const ParamValues&) { return std::make_unique<TenantRouting>(context); }});
}

}  // namespace palstudy
