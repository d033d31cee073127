// SPDX-License-Identifier: MIT
#include "sim/simulation.hpp"

#include <fmt/format.h>

#include <optional>

#include "core/error.hpp"
#include "sim/deal.hpp"
#include "sim/run.hpp"

namespace palstudy {
namespace {

/// A run is dealt anew once, after so many instants, and only if that would make the slowest rank so much faster.
constexpr std::uint64_t trial_instants = 24;
constexpr double worthwhile = 0.9;

void check(const World& world, const Policies& policies) {
  if (world.partitioning.partitions() > 1 && policies.routing == nullptr) throw fault("several partitions, no routing");
  for (const Job& job : world.workload.jobs) {
    if (job.gpus <= world.topology.gpus()) continue;
    throw data_error(fmt::format("job {} wants {} GPUs, the cluster has {}", job.id, job.gpus, world.topology.gpus()),
                     "workload", "enlarge the cluster or drop the job");
  }
}

/// One partition is no work for two: the first rank of a team simulates it alone.
class FirstRankAlone final : public LocalExchange {
 public:
  explicit FirstRankAlone(Exchange& team) : team_(team) {}
  void tick() override { team_.tick(); }

 private:
  Exchange& team_;
};

std::vector<int> deal_by_size(const World& world, int ranks) {
  std::vector<double> gpus;
  for (std::uint32_t p = 0; p < world.partitioning.partitions(); ++p) {
    gpus.push_back(world.partitioning.gpus(PartitionId(p)));
  }
  return deal_partitions(gpus, ranks);
}

/// A better deal by what the partitions have cost so far, if it is worth beginning the run once more. Collective.
std::optional<std::vector<int>> better_deal(const Run& run, Exchange& exchange) {
  std::vector<double> cost = run.cost_s();
  exchange.max(cost);
  auto deal = deal_partitions(cost, exchange.ranks());
  const bool worth =
      heaviest(cost, deal, exchange.ranks()) < worthwhile * heaviest(cost, run.owner(), exchange.ranks());
  return worth ? std::optional(std::move(deal)) : std::nullopt;
}

}  // namespace

RunResult simulate(const World& world, const Policies& policies, Exchange& exchange) {
  check(world, policies);
  if (world.partitioning.partitions() == 1 && exchange.ranks() > 1) {
    if (exchange.rank() != 0) return {};
    FirstRankAlone alone(exchange);
    return simulate(world, policies, alone);
  }
  auto run = std::make_unique<Run>(world, policies, exchange, deal_by_size(world, exchange.ranks()));
  const bool may_deal_anew =
      exchange.ranks() > 1 && world.partitioning.partitions() > static_cast<std::uint32_t>(exchange.ranks());
  while (run->step()) {
    if (!may_deal_anew || run->instants() != trial_instants) continue;
    if (auto deal = better_deal(*run, exchange)) {
      run.reset();  // the old one's memory first
      run = std::make_unique<Run>(world, policies, exchange, std::move(*deal));
      while (run->step()) continue;
      break;
    }
  }
  return run->take_result();
}

RunResult simulate(const World& world, const OrderPolicy& order, PlacementPolicy& placement,
                   const RoutingPolicy* routing) {
  LocalExchange alone;
  return simulate(world, {order, placement, routing}, alone);
}

}  // namespace palstudy
