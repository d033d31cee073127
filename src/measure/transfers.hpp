// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <vector>

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

}  // namespace palstudy
