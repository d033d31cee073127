// SPDX-License-Identifier: MIT
#include "policy/routing_policy.hpp"

namespace palstudy {
namespace {

class LeastLoaded final : public RoutingPolicy {
 public:
  [[nodiscard]] PartitionId route(JobId, const Job& job, const Summaries& summaries) const override {
    if (summaries.alike()) {  // as nearly always: then the least share is the least demand
      return least_partition(job, summaries, [&](PartitionId p) { return summaries.at(p, Summaries::demand_gpus); });
    }
    return least_partition(job, summaries, [&](PartitionId p) { return summaries.load(p); });
  }
};

}  // namespace

void register_routing_least_loaded(RoutingRegistry& registry) {
  registry.add({"least-loaded",
                "To the partition whose queued and running jobs want the least share of its GPUs.",
                {},
                [](const RoutingContext&, const ParamValues&) { return std::make_unique<LeastLoaded>(); }});
}

}  // namespace palstudy
