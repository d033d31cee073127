// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace palstudy {

/// How this process was started, by its environment; available before MPI starts.
struct Launch {
  bool by_launcher = false;  ///< mpirun, mpiexec or srun started it as one of an MPI program's ranks
  int rank = 0;              ///< its rank, if the launcher sets it; selects the rank that prints before MPI runs
};

/// Reads OMPI_COMM_WORLD_*, PMIX_RANK, PMI_RANK, PMI_SIZE. The variables of a Slurm allocation alone do not count: a
/// batch script has them too.
/// Errors (usage): srun started several tasks without an MPI plugin; each would take itself for a whole campaign.
[[nodiscard]] Launch read_launch();

/// "mpirun" (Open MPI's), "srun", "mpiexec" for another, "" for none.
[[nodiscard]] std::string launcher_name();

/// Whether this is the process that prints what all of them would.
[[nodiscard]] bool speaks_for_all();

}  // namespace palstudy
