#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# From a fresh clone to the paper's table: installs what is missing, builds palstudy, simulates the eight Sia-Philly
# traces under every placement with MPI, prints the comparison and makes a page of figures. A second time it takes seconds.
# Sourced, it only defines its steps (tests/experiments/quickstart.sh).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
# shellcheck source=scripts/setup.sh
. scripts/setup.sh
# shellcheck source=scripts/mpi-env.sh
. scripts/mpi-env.sh

folder=build/release results=results page=
palstudy=$folder/palstudy

say() { echo "==> $*" >&2; }
# Says what it runs, so that it can be typed again.
run() {
  printf '  $%s\n' "$(printf ' %q' "$@")" >&2
  "$@"
}

build() {
  say "building $palstudy"
  # -S and -B are the preset's: a build folder that is there already is only brought up to date.
  if [ ! -f $folder/build.ninja ]; then
    run cmake --preset release -DPALSTUDY_TESTS=OFF >&2
  fi
  run cmake --build --preset release --target palstudy >&2
}

# On a login node Slurm answers, though perhaps late, and there is no job: it is shared, so the work is kept small there.
# Slurm's programs alone do not make one; the tests install them.
on_login_node() {
  [ -z "${SLURM_JOB_ID:-}" ] || return 1
  local answer=0
  timeout 10 sinfo --noheader >/dev/null 2>&1 || answer=$?
  [ "$answer" -eq 0 ] || [ "$answer" -eq 124 ]
}

ranks() {
  local cores
  cores=$(nproc)
  if on_login_node; then
    echo $((cores < 2 ? cores : 2))
  else
    echo "${SLURM_NTASKS:-$cores}"
  fi
}

# The launcher of the MPI that the program was built with, which need not be the first mpirun on PATH.
launcher() {
  local found
  found=$(sed -n 's/^MPIEXEC_EXECUTABLE:[^=]*=//p' $folder/CMakeCache.txt)
  if [ "$(readlink -f "$found")" = "$(readlink -f "$(command -v mpirun || true)")" ]; then
    found=mpirun
  fi
  echo "$found"
}

study() {
  local name=$1
  say "experiments/$name.toml on $processes ranks"
  run "$mpirun" -n "$processes" "$palstudy" run "experiments/$name.toml" -o "$results/$name.h5" --force
}

prepare() {
  mpirun=$(launcher)
  processes=$(ranks)
  if [ -z "${SLURM_JOB_ID:-}" ]; then
    mpi_share_cores # nproc counts hardware threads, Open MPI's slots are cores
  fi
  mkdir -p "$results"
}

studies() {
  study sia-philly
  run "$palstudy" compare "$results/sia-philly.h5"
  study straggler
  say "PAL's gain on 30 clusters of each kind, with and without a GPU that is over 2 times slower than the median"
  run "$palstudy" compare "$results/straggler.h5" --by cluster.source --by "cluster.slowdown_max>2" --brief

  # A large machine in small; supercomputer.toml is the large one.
  study machine
  say "2,048 GPUs generated from the measurements, Philly-like jobs: PAL's gain, and what sixteen partitions cost"
  run "$palstudy" compare "$results/machine.h5" --by cluster.partitions --brief
  run "$palstudy" compare "$results/machine.h5" --against cluster.partitions=1 --by policy.placement --brief
}

# The simulator needs no Python; where matplotlib cannot be had, there is no page and all else stands.
figures() {
  if (setup_packages report); then
    say "the page of the first study, with its figures"
    run "$palstudy-report" "$results/sia-philly.h5" -o "$results/report"
    page=$results/report/index.html
  else
    say "no page: palstudy-report needs the packages above"
  fi
}

closing() {
  say "the results are in $results/sia-philly.h5, $results/straggler.h5 and $results/machine.h5"
  [ -z "$page" ] || say "the page of figures is $page"
  if on_login_node; then
    say "this is a login node, so only $processes ranks were used; on the cluster, for example:"
    echo "sbatch --ntasks=16 --time=10 --wrap='mpirun $PWD/$palstudy run $PWD/experiments/sia-philly.toml" \
      "-o $PWD/$results/sia-philly.h5 --force'"
  fi
}

main() {
  setup_packages build
  build
  prepare
  studies
  figures
  closing
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then
  main
fi
