// SPDX-License-Identifier: MIT
#include <utility>

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

class ShortestQueue final : public RoutingPolicy {
 public:
  [[nodiscard]] PartitionId route(JobId, const Job& job, const Summaries& summaries) const override {
    return least_partition(job, summaries, [&](PartitionId p) {
      return std::pair(summaries.at(p, Summaries::queued_jobs), -summaries.at(p, Summaries::free_gpus));
    });
  }
};

}  // namespace

void register_routing_least_loaded(RoutingRegistry& registry) {
  registry.add({"least-loaded",
                "To the partition whose queued and running jobs want the least share of its GPUs.",
                {},
                [](const RoutingContext&, const ParamValues&) { return std::make_unique<LeastLoaded>(); }});
  registry.add({"shortest-queue",
                "To the partition with the fewest queued jobs; of equals the one with the most free GPUs.",
                {},
                [](const RoutingContext&, const ParamValues&) { return std::make_unique<ShortestQueue>(); }});
}

}  // namespace palstudy
