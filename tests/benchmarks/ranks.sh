#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What a second rank brings to a campaign of independent runs, in seconds of the whole command, medians of five:
#   tests/benchmarks/ranks.sh build/release/palstudy [REPEATS]
# One campaign has small runs (256 GPUs, 0.2 s each), the other large ones (4,096 GPUs, 0.1 to 8 s), whose memory two
# cores share. What the machine can bring at all is beside it: two processes that share nothing, each with the whole
# campaign. They, one rank and two ranks take turns, so that a slow minute of the machine meets all. Needs two idle cores.
set -euo pipefail
program=$(realpath "$1")
repeats=${2:-5}
cd "$(dirname "$0")/../../experiments"
# shellcheck source=../../scripts/mpi-env.sh
. ../scripts/mpi-env.sh
mpi_share_cores
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT

median() { # least median most, of a file of numbers
  sort -g "$1" | awk '{v[NR] = $1} END {printf "%.4g %.4g %.4g", v[1], (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2, v[NR]}'
}
campaign() { # RANKS OUTPUT ARGUMENTS of run: the seconds of the whole command
  local began=$EPOCHREALTIME ranks=$1 output=$2
  shift 2
  mpirun -n "$ranks" "$program" run "$@" -o "$scratch/$output.h5" --force 2>/dev/null
  awk "BEGIN {print $EPOCHREALTIME - $began}"
}
compare() { # NAME ARGUMENTS of run
  local name=$1
  shift
  rm -f "$scratch"/*.s
  for ((i = 0; i < repeats; ++i)); do
    campaign 1 out "$@" >>"$scratch/one.s"
    campaign 2 out "$@" >>"$scratch/two.s"
    campaign 1 left "$@" >>"$scratch/apart.s" &
    campaign 1 right "$@" >"$scratch/right.s"
    wait $!
    cat "$scratch/right.s" >>"$scratch/apart.s"
  done
  echo "$name: least, median and most seconds of one rank $(median "$scratch/one.s"), of two $(median "$scratch/two.s")"
  paste <(median "$scratch/one.s") <(median "$scratch/two.s") <(median "$scratch/apart.s") |
    awk '{printf "  two ranks are %.2f times as fast as one; two processes that share nothing do %.2f times the work\n", $2 / $5, 2 * $2 / $8}'
}

compare "small runs" load-fifo.toml --set 'workload.jobs_per_h=[3, 4, 5]' --set 'seed={first=1, count=24}'
compare "large runs" partitions.toml --set 'seed={first=1, count=4}' --set measure.window_s=259200 --set measure.end_s=1209600 \
  --set workload.weekdays=true
