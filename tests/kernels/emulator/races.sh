#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# races.sh RACES CUDA_FOLDER: the kernels run without a race, thread against thread; and without any one of their barriers,
# in any kernel that comes to it, a race or a wrong result is found. RACES is tests/kernels/emulator/races.cpp.
set -euo pipefail
races=$1 folder=$2
log=$(mktemp)
trap 'rm -f "$log"' EXIT
fail() { cat "$log" >&2; echo "$*" >&2; exit 1; }
# The sanitizer of older compilers does not start where addresses are drawn from too wide a range.
run() { TSAN_OPTIONS="halt_on_error=1 exitcode=66" setarch -R "$races" "$@" 2> "$log"; }

met=$(run) || fail "a kernel has a race or is wrong"
count=0
while IFS=: read -r file line _; do
  place=$(basename "$file"):$line
  kernels=$(awk -v place="$place" '$2 == place { print $1 }' <<< "$met")
  [[ -n $kernels ]] || fail "no kernel comes to the barrier at $place"
  for kernel in $kernels; do
    rc=0
    run --without "$place" "$kernel" > /dev/null || rc=$?
    [[ $rc == 1 || $rc == 66 ]] || fail "$kernel without the barrier at $place: code $rc, so it is not wanted, or not tested"
    count=$((count + 1))
  done
done < <(grep -nE '__sync(threads|warp)\(\)' "$folder"/suite/*.cu "$folder"/gemm_tile.hpp | sed 's/[^:]*\/\([^/]*:[0-9]*\):.*/\1:/')
((count >= 5)) || fail "only $count barriers were left out in turn"
echo "no race; each of $count barriers, left out alone, is missed"
