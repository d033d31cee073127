// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace palstudy {

/// Whether mpirun, mpiexec or srun started this process as one of an MPI program's ranks, by its environment; available
/// before MPI starts. Reads OMPI_COMM_WORLD_*, PMIX_RANK, PMI_RANK, PMI_SIZE. The variables of a Slurm allocation alone
/// do not count: a batch script has them too.
/// Errors (usage): srun started several tasks without an MPI plugin; each would take itself for a whole campaign.
[[nodiscard]] bool started_by_launcher();

/// "mpirun" (Open MPI's), "srun", "mpiexec" for another, "" for none.
[[nodiscard]] std::string launcher_name();

/// Whether this is the process that prints what all of them would.
[[nodiscard]] bool speaks_for_all();

}  // namespace palstudy
