// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "topology/topology.hpp"
#include "variability/slowdowns.hpp"
#include "variability/sources/measurements.hpp"

namespace palstudy::made_up {

/// A measurement of `nodes` hosts (first, first + 1, ...) with `gpus` GPUs each, listed from the last local index to
/// the first. GPU l of host h took (1000 + 10 h + l) x `scale`, three runs of it: exact, 1 below, 1 above.
Measurements machine(const std::string& name, int first, int nodes, int gpus, double scale = 1);

/// `nodes` nodes of `gpus` GPUs.
Topology cluster(std::uint32_t nodes, std::uint32_t gpus);

}  // namespace palstudy::made_up
