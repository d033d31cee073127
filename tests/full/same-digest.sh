#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# same-digest.sh PRESET PALSTUDY MPIEXEC: builds the preset, runs sia-philly.toml with it and with PALSTUDY on two ranks
# each, and compares the digests of the two archives (design: the result is a function of the study).
set -euo pipefail
preset=$1 reference=$2 reference_mpiexec=$3
study=experiments/sia-philly.toml
here=$(dirname "${BASH_SOURCE[0]}")

"$here/build-preset.sh" "$preset" -DPALSTUDY_WERROR=ON # as the preset release is, whose objects a compiler cache has
other=build/$preset/palstudy
other_mpiexec=$(sed -n 's/^MPIEXEC_EXECUTABLE:[^=]*=//p' "build/$preset/CMakeCache.txt")

results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
"$reference_mpiexec" -n 2 "$reference" run "$study" -o "$results/reference.h5"
"$other_mpiexec" -n 2 "$other" run "$study" -o "$results/$preset.h5"
expected=$("$reference" digest "$results/reference.h5")
actual=$("$other" digest "$results/$preset.h5")
echo "reference $expected"
echo "$preset $actual"
[ -n "$expected" ] && [ "$expected" = "$actual" ]
# Either program can read the other's file.
[ "$("$reference" digest "$results/$preset.h5")" = "$expected" ]
