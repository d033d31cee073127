# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Sourced. What Open MPI has to be told before mpirun works as root, in a container, or with more ranks than cores.
# Whatever is set already stays as it is, and nothing is touched inside a Slurm job: there the site knows better.

# Whether this shell runs in a container, where cores are shared with strangers and binding to them does harm.
mpi_in_container() {
  [ -e /.dockerenv ] || [ -e /run/.containerenv ] || [ -n "${container:-}${SINGULARITY_NAME:-}${APPTAINER_NAME:-}" ]
}

mpi_set_default() {
  [ -n "${!1:-}" ] || export "$1=$2"
}

# More ranks than cores, unbound, giving way when idle. Unbound, because two jobs of two ranks each would otherwise
# share cores 0 and 1; giving way, because a rank that polls starves the one it waits for. And the transport that such
# ranks end up with, memory or TCP: the search for a faster network takes every rank 0.2 s.
mpi_share_cores() {
  mpi_set_default OMPI_MCA_rmaps_base_oversubscribe 1
  mpi_set_default OMPI_MCA_hwloc_base_binding_policy none
  mpi_set_default OMPI_MCA_mpi_yield_when_idle 1
  mpi_set_default OMPI_MCA_pml ob1
}

if [ "$(id -u)" -eq 0 ]; then
  # Open MPI refuses to run as root until it is told twice.
  mpi_set_default OMPI_ALLOW_RUN_AS_ROOT 1
  mpi_set_default OMPI_ALLOW_RUN_AS_ROOT_CONFIRM 1
fi
if [ -z "${SLURM_JOB_ID:-}" ] && { [ "$(id -u)" -eq 0 ] || mpi_in_container; }; then
  mpi_share_cores
fi
