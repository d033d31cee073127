// SPDX-License-Identifier: MIT
#include "sim/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <optional>

#include "core/error.hpp"
#include "core/numbers.hpp"
#include "sim/engine/rank_assignment.hpp"
#include "sim/engine/run.hpp"

namespace palstudy {
namespace {

/// A run is dealt anew once, after so many instants, and only if that would make the slowest rank so much faster.
constexpr std::uint64_t trial_instants = 24;
constexpr double worthwhile = 0.9;

/// What tenants do not go together with yet. A study says it with the place of the key.
void check_tenants(const World& world, const Policies& policies) {
  if (world.tenants == nullptr) return;
  const TenantRules& rules = *world.tenants;
  const bool sticky = policies.placement.sticky();
  if (rules.quota.size() != world.workload.tenants.size()) throw fault("not one quota for each tenant");
  if (world.partitioning.partitions() > 1) throw fault("tenants on several partitions");
  if (world.engine.start == Start::event) throw fault("tenants whose jobs start between boundaries");
  if (world.engine.backfill == Backfill::none) throw fault("tenants whose jobs wait for those before them");
  if (world.engine.starvation_s < infinity) throw fault("tenants and jobs that starve");
  if (sticky && policies.order.preemptive()) throw fault("tenants under an order that stops jobs");
  if (!sticky && (rules.ladder() || rules.gangs() || rules.preempts())) {
    throw fault("a ladder, gangs or preemption with a placement that places everybody afresh");
  }
}

void check(const World& world, const Policies& policies) {
  check_tenants(world, policies);
  if (world.partitioning.partitions() > 1 && policies.routing == nullptr) throw fault("several partitions, no routing");
  for (const Job& job : world.workload.jobs) {
    if (world.failures != nullptr && job.gpus > world.partitioning.widest() && job.gpus <= world.topology.gpus()) {
      throw usage_error(fmt::format("job {} wants {} GPUs, more than a partition has", job.id, job.gpus), "failures",
                        "such jobs do not fail yet: use fewer partitions, or leave failures.model out");
    }
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

/// A run that goes on from what `checkpoints` has; none if there is nothing, or nothing of use. Collective.
std::unique_ptr<Run> restored(const World& world, const Policies& policies, Exchange& exchange,
                              Checkpoints& checkpoints) {
  const std::uint32_t partitions = world.partitioning.partitions();
  std::vector<double> cost(partitions + 1, 0.0);  // and whether there is anything
  if (exchange.rank() == 0) {
    if (const auto found = checkpoints.find(); found && found->size() == partitions) {
      std::copy(found->begin(), found->end(), cost.begin());
      cost.back() = 1;
    }
  }
  exchange.max(cost);
  if (cost.back() == 0) return nullptr;
  cost.pop_back();
  const bool counted = std::any_of(cost.begin(), cost.end(), [](double seconds) { return seconds > 0; });
  auto owner = counted ? deal_partitions(cost, exchange.ranks()) : deal_by_size(world, exchange.ranks());
  std::unique_ptr<Run> run;
  std::array<double, 1> failed = {0};
  try {
    std::vector<PartitionId> own;
    for (std::uint32_t p = 0; p < partitions; ++p) {
      if (owner[p] == exchange.rank()) own.emplace_back(p);
    }
    run = std::make_unique<Run>(world, policies, exchange, std::move(owner), &checkpoints);
    run->restore(checkpoints.read(own));
  } catch (const std::exception& error) {
    checkpoints.unusable(error.what());
    failed[0] = 1;
  }
  exchange.max(failed);
  return failed[0] > 0 ? nullptr : std::move(run);
}

/// From the beginning or from a checkpoint to the end. Nothing if the ranks have agreed to stop.
std::optional<RunResult> go_through(const World& world, const Policies& policies, Exchange& exchange,
                                    Checkpoints* checkpoints) {
  check(world, policies);
  if (world.partitioning.partitions() == 1 && exchange.ranks() > 1) {
    if (exchange.rank() != 0) return RunResult{};
    FirstRankAlone alone(exchange);
    return go_through(world, policies, alone, checkpoints);
  }
  std::unique_ptr<Run> run;
  if (checkpoints != nullptr) run = restored(world, policies, exchange, *checkpoints);
  if (!run) run = std::make_unique<Run>(world, policies, exchange, deal_by_size(world, exchange.ranks()), checkpoints);
  bool may_deal_anew =
      exchange.ranks() > 1 && world.partitioning.partitions() > static_cast<std::uint32_t>(exchange.ranks());
  while (run->step()) {
    if (checkpoints != nullptr && run->wish() != Wish::none) {
      const RunState state = run->state();
      if (exchange.rank() == 0) checkpoints->save(state);
      if (run->wish() == Wish::stop) return std::nullopt;
    }
    if (!may_deal_anew || run->instants() != trial_instants) continue;
    may_deal_anew = false;
    if (auto deal = better_deal(*run, exchange)) {
      run.reset();  // the old one's memory first
      run = std::make_unique<Run>(world, policies, exchange, std::move(*deal), checkpoints);
    }
  }
  return run->take_result();
}

}  // namespace

RunResult simulate(const World& world, const Policies& policies, Exchange& exchange) {
  return *go_through(world, policies, exchange, nullptr);
}

std::optional<RunResult> simulate(const World& world, const Policies& policies, Exchange& exchange,
                                  Checkpoints& checkpoints) {
  return go_through(world, policies, exchange, &checkpoints);
}

RunResult simulate(const World& world, const OrderPolicy& order, PlacementPolicy& placement,
                   const RoutingPolicy* routing) {
  LocalExchange alone;
  return simulate(world, {order, placement, routing}, alone);
}

}  // namespace palstudy
