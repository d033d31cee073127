// SPDX-License-Identifier: MIT
#include "sim/simulation.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <optional>

#include "sim/engine/rank_partitions.hpp"
#include "sim/engine/run.hpp"
#include "sim/supports.hpp"

namespace palstudy {
namespace {

/// The partitions are assigned again once, after so many instants, and only if that would make the slowest rank so much
/// faster.
constexpr std::uint64_t trial_instants = 24;
constexpr double worthwhile = 0.9;

/// One partition is no work for two: the first rank of a team simulates it alone.
class FirstRankAlone final : public LocalExchange {
 public:
  explicit FirstRankAlone(Exchange& team) : team_(team) {}
  void tick() override { team_.tick(); }

 private:
  Exchange& team_;
};

std::vector<int> assign_by_size(const World& world, int ranks) {
  std::vector<double> gpus;
  for (std::uint32_t p = 0; p < world.partitioning.partitions(); ++p) {
    gpus.push_back(world.partitioning.gpus(PartitionId(p)));
  }
  return assign_partitions(gpus, ranks);
}

/// A better assignment by what the partitions have cost so far, if it is worth beginning the run once more. Collective.
std::optional<std::vector<int>> rebalanced(const Run& run, Exchange& exchange) {
  std::vector<double> cost = run.cost_s();
  exchange.max(cost);
  auto owner = assign_partitions(cost, exchange.ranks());
  const bool worth =
      heaviest(cost, owner, exchange.ranks()) < worthwhile * heaviest(cost, run.owner(), exchange.ranks());
  return worth ? std::optional(std::move(owner)) : std::nullopt;
}

/// A run that goes on from what `checkpoints` has; none if there is nothing, or nothing of use. Collective.
std::unique_ptr<Run> restored(const World& world, const Policies& policies, Exchange& exchange,
                              Checkpoints& checkpoints) {
  const std::uint32_t partitions = world.partitioning.partitions();
  std::vector<double> cost(partitions + 1, 0.0);  // and whether there is anything
  if (exchange.rank() == 0) {
    if (const auto found = checkpoints.saved_costs(); found && found->size() == partitions) {
      std::copy(found->begin(), found->end(), cost.begin());
      cost.back() = 1;
    }
  }
  exchange.max(cost);
  if (cost.back() == 0) return nullptr;
  cost.pop_back();
  const bool counted = std::any_of(cost.begin(), cost.end(), [](double seconds) { return seconds > 0; });
  auto owner = counted ? assign_partitions(cost, exchange.ranks()) : assign_by_size(world, exchange.ranks());
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
  check_supports(world, policies);
  if (world.partitioning.partitions() == 1 && exchange.ranks() > 1) {
    if (exchange.rank() != 0) return RunResult{};
    FirstRankAlone alone(exchange);
    return go_through(world, policies, alone, checkpoints);
  }
  std::unique_ptr<Run> run;
  if (checkpoints != nullptr) run = restored(world, policies, exchange, *checkpoints);
  if (!run)
    run = std::make_unique<Run>(world, policies, exchange, assign_by_size(world, exchange.ranks()), checkpoints);
  bool may_rebalance =
      exchange.ranks() > 1 && world.partitioning.partitions() > static_cast<std::uint32_t>(exchange.ranks());
  while (run->step()) {
    if (checkpoints != nullptr && run->request() != CheckpointRequest::none) {
      const RunState state = run->state();
      if (exchange.rank() == 0) checkpoints->save(state);
      if (run->request() == CheckpointRequest::stop) return std::nullopt;
    }
    if (!may_rebalance || run->instants() != trial_instants) continue;
    may_rebalance = false;
    if (auto owner = rebalanced(*run, exchange)) {
      run.reset();  // the old one's memory first
      run = std::make_unique<Run>(world, policies, exchange, std::move(*owner), checkpoints);
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
