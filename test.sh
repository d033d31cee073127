#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs what is missing, builds, and runs the tests: ./test.sh, or ./test.sh --full with everything that takes long
# (sanitizers, MPICH, fuzzing, clang-tidy). ./test.sh --mutants SEED N plants N faults instead, one at a time, and says
# which of them no test notices (tests/mutants). ./test.sh --random SEED N builds, and holds N random studies to what is true of
# every study (tests/random_studies); --random pairs, one for each pair of features. All checks are tests of CTest; its summary, with the seconds of each
# suite (label), is the last thing printed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
# shellcheck source=scripts/setup.sh
. scripts/setup.sh
# shellcheck source=scripts/mpi-env.sh
. scripts/mpi-env.sh

mutants=() random=()
case "$*" in
  "") sections=(build report install test) full=OFF ;;
  --full) sections=(build report install test full) full=ON ;;
  "--mutants "*" "*) sections=(build report install test) full=OFF mutants=("${@:2}") ;;
  "--random pairs"* | "--random "*" "*) sections=(build report install test) full=OFF random=("${@:2}") ;;
  *)
    echo "usage: ./test.sh [--full | --mutants SEED N | --random SEED N | --random pairs]" >&2
    exit 2
    ;;
esac

setup_packages "${sections[@]}"
# The tests start more ranks than there are cores.
mpi_share_cores
export CTEST_PARALLEL_LEVEL=${CTEST_PARALLEL_LEVEL:-$(nproc)}

werror=$full
[ -z "${CI:-}" ] || werror=ON
if command -v ccache >/dev/null && [ -w "${CCACHE_DIR:-${HOME:-/nonexistent}}" ]; then
  # What two presets compile alike is compiled once.
  export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$PWD} CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache CMAKE_CUDA_COMPILER_LAUNCHER=ccache
fi
[ ${#mutants[@]} = 0 ] || exec python3 tests/mutants/mutants.py "${mutants[@]}" </dev/null
began=$SECONDS
cmake --preset release "-DPALSTUDY_FULL=$full" "-DPALSTUDY_WERROR=$werror" </dev/null
if [ ${#random[@]} != 0 ]; then
  cmake --build --preset release --target palstudy </dev/null
  python=$(sed -n 's/^PALSTUDY_PYTHON:FILEPATH=//p' build/release/CMakeCache.txt)
  exec "${python:-python3}" tests/random_studies/random_studies.py "${random[@]}" </dev/null
fi
cmake --build --preset release </dev/null
echo "==> built in $((SECONDS - began)) s"
rm -rf build/release/processor_times
mkdir build/release/processor_times
ctest --preset release </dev/null | python3 tests/processor_minutes.py build/release/processor_times
