// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "cluster/free_gpus.hpp"

namespace palstudy {

/// Makes of the GPUs that a policy has chosen (canonical) the nearest that a job with tensor groups of `group` GPUs can
/// use: a multiple of `group` on every node. Nodes of which the policy chose the most GPUs come first (ties: lowest),
/// then those with the most free ones; on a node the chosen GPUs come first, then the lowest. Unchanged where it is of
/// that kind already. False, with `gpus` unspecified, where too few whole groups are free. A function of the choice and
/// the free set alone. Costs a look at every node where the choice has to change.
[[nodiscard]] bool keep_groups_whole(std::uint32_t group, const FreeGpus& free, GpuSet& gpus);

/// How many free GPUs are in whole groups: of all nodes, or of so many from `first` on.
[[nodiscard]] std::uint32_t free_in_groups(std::uint32_t group, const FreeGpus& free);
[[nodiscard]] std::uint32_t free_in_groups(std::uint32_t group, const FreeGpus& free, NodeId first,
                                           std::uint32_t nodes);

/// How many GPUs of so many nodes, from `first` on, are in whole groups: the widest job with such groups that fits
/// them.
[[nodiscard]] std::uint64_t gpus_in_groups(std::uint32_t group, const Topology& topology, NodeId first,
                                           std::uint32_t nodes);

}  // namespace palstudy
