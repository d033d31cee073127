// SPDX-License-Identifier: MIT
#include <utility>

#include "policy/routing_policy.hpp"

namespace palstudy {
namespace {

class ShortestQueue final : public RoutingPolicy {
 public:
  [[nodiscard]] PartitionId route(JobId, const Job& job, const Summaries& summaries) const override {
    return least_partition(job, summaries, [&](PartitionId p) {
      return std::pair(summaries.at(p, Summaries::queued_jobs), -summaries.at(p, Summaries::free_gpus));
    });
  }
};

}  // namespace

void register_routing_shortest_queue(RoutingRegistry& registry) {
  registry.add({"shortest-queue",
                "To the partition with the fewest queued jobs; of equals the one with the most free GPUs.",
                {},
                [](const RoutingContext&, const ParamValues&) { return std::make_unique<ShortestQueue>(); }});
}

}  // namespace palstudy
