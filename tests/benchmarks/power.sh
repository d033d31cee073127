#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What accounting energy and powering nodes off add to two weeks of 4,704 nodes, engine alone, the three variants in turns:
#   tests/benchmarks/power.sh build/release/palstudy [REPEATS] [PLACEMENT]
# Prints the medians and the least of wall_s of /provenance/runs, and the ratios of these over the run without [power].
set -euo pipefail
program=$(realpath "$1")
repeats=${2:-5}
placement=${3:-packed-sticky}
cd "$(dirname "$0")/../../experiments"
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT
two_weeks=(--set seed=1 --set measure.window_s=777600 --set measure.end_s=1209600 --set workload.weekdays=true
  --set output.jobs=false --set cluster.partitions=1 --set "policy.placement=$placement")

once() { # NAME ARGUMENTS of run
  local name=$1
  shift
  "$program" run supercomputer.toml "${two_weeks[@]}" "$@" -o "$scratch/out.h5" --force >/dev/null 2>&1
  h5dump -y -w 0 -d /provenance/runs/wall_s "$scratch/out.h5" | sed -n '/DATA {/{n;p;q}' >>"$scratch/$name"
}
for ((i = 0; i < repeats; ++i)); do
  once without
  once account --set power.account=true
  once timer --set power.off=timer --set power.idle_s=600 --set power.spare=20
done
for name in without account timer; do
  sort -g "$scratch/$name" | awk -v name=$name '{v[NR] = $1} END {print name, (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2, v[1]}'
done | awk '{if (NR == 1) {median = $2; least = $3}
  printf "%-8s median %.3f s, least %.3f s; over without: %.2f, %.2f\n", $1, $2, $3, $2 / median, $3 / least}'
