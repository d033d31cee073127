// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "sim/result.hpp"
#include "sim/state/checkpoints.hpp"
#include "sim/state/exchange.hpp"
#include "sim/state/world.hpp"

namespace palstudy {

/// Simulates one run from time 0 until the boundary at which the last measured job finishes (launches of that boundary
/// included) or `measure.end_s`. Knows no MPI, no HDF5, no file. Collective over the ranks of `exchange`, which share
/// the partitions; the whole result is rank 0's, the others get an empty one. It does not depend on their number.
/// Errors (data): a job wider than the cluster, a measured set without jobs. What one rank throws, all throw.
[[nodiscard]] RunResult simulate(const World& world, const Policies& policies, Exchange& exchange);
/// The same, going on from what `checkpoints` has, if that is of any use, and keeping the state there when a rank
/// wishes it. Nothing if the team has stopped at a boundary; then its state has been saved.
[[nodiscard]] std::optional<RunResult> simulate(const World& world, const Policies& policies, Exchange& exchange,
                                                Checkpoints& checkpoints);
/// The same in one process.
[[nodiscard]] RunResult simulate(const World& world, const OrderPolicy& order, PlacementPolicy& placement,
                                 const RoutingPolicy* routing = nullptr);

}  // namespace palstudy
