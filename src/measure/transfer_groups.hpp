// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/kernel.hpp"
#include "measure/injected_slowdown.hpp"

namespace palstudy {

/// Ranks between which data are moved together: a pair for `link`, two or more for `allreduce`.
struct TransferGroup {
  std::string kernel;
  std::string level;       ///< the widest that they span: node, cabinet, cluster
  std::vector<int> ranks;  ///< ascending
};

/// The groups of a machine, the same on all ranks. Pairs: at most four of each level, drawn by seed, since all pairs
/// would be their square. Sums: packed on the host of most ranks, by two and by all of it; spread over hosts, one rank
/// each, of the cabinet with most hosts and of all, by two and by at most eight; and all ranks. `cabinets` by rank, ""
/// where it is not known; ranks of one host are in one cabinet, hosts without one are in a cabinet of their own.
[[nodiscard]] std::vector<TransferGroup> transfer_groups(const std::vector<RankPlace>& places,
                                                         const std::vector<std::string>& cabinets, bool link,
                                                         bool allreduce, std::uint64_t seed);

/// What is moved, in bytes: 4 KiB to 256 MiB between GPUs, to 4 MiB between cores, each four times the one before.
[[nodiscard]] std::vector<std::size_t> transfer_sizes(Backend backend);

}  // namespace palstudy
