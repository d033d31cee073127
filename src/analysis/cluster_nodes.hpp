// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "topology/topology.hpp"
#include "variability/slowdowns.hpp"

namespace palstudy {

/// For each class the nodes of a cluster as lists of slowdowns, sorted: equal for clusters that have the same nodes in
/// other places.
using NodesByClass = std::vector<std::vector<std::vector<double>>>;
[[nodiscard]] NodesByClass nodes_of(const Slowdowns& cluster, const std::vector<NodeGroup>& groups);

}  // namespace palstudy
