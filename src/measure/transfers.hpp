// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "kernels/kernel.hpp"
#include "measure/injected_slowdown.hpp"
#include "measure/options.hpp"
#include "measure/setup.hpp"
#include "parallel/mpi.hpp"
#include "variability/profile/profile.hpp"

namespace palstudy {

/// Whether `link` and `allreduce` are measured: by name, or with --all.
struct WantedTransfers {
  bool link = false, allreduce = false;
  [[nodiscard]] bool any() const { return link || allreduce; }
};
[[nodiscard]] WantedTransfers wanted_transfers(const MeasureOptions& options);

/// Collective. Moves data between the GPUs (cores), one group at a time, and gives, on all ranks, the median over the
/// groups of each kind. Paths: "mpi-host" through the host's memory; of GPUs also "mpi-device", if MPI takes their
/// memory, and "peer" within a host, if a process sees both and they have a direct way; NaN seconds where that is not
/// there. `stop` is called on all ranks between groups and throws to end the measurement.
[[nodiscard]] std::vector<ProfileTransfer> measure_transfers(const MeasurementSetup& setup,
                                                             const MeasureOptions& options, Mpi& mpi,
                                                             const std::function<void()>& stop);

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
[[nodiscard]] std::vector<TransferGroup> groups_to_measure(const std::vector<RankPlace>& places,
                                                           const std::vector<std::string>& cabinets, bool link,
                                                           bool allreduce, std::uint64_t seed);

/// What is moved, in bytes: 4 KiB to 256 MiB between GPUs, to 4 MiB between cores, each four times the one before.
[[nodiscard]] std::vector<std::size_t> transfer_sizes(Backend backend);

}  // namespace palstudy
