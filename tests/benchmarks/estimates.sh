#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Estimated beside used, one study a line: tests/benchmarks/estimates.sh build/release/palstudy
# Each study is one run, so that memory is that of a process of its own.
set -euo pipefail
program=$(realpath "$1")
cd "$(dirname "$0")/../../experiments"
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT

column() { # of /provenance/runs, of the one run
  h5dump -y -w 0 -d "/provenance/runs/$1" "$scratch/out.h5" | sed -n '/DATA {/{n;p;q}' | tr -d ' '
}
row() {
  local name=$1
  shift
  read -r core_s memory disk < <("$program" plan "$@" 2>/dev/null | tail -2 | head -1 | awk '{print $(NF-2), $(NF-1), $NF}')
  "$program" run "$@" -o "$scratch/out.h5" --force 2>/dev/null
  local used
  used=$(stat -c %s "$scratch/out.h5" | awk '{printf "%.3g", $1 / 1048576}')
  printf '%-26s %10s %10.4g %10s %10.4g %10s %10s\n' "$name" "$core_s" "$(column wall_s)" "$memory" \
    "$(column peak_rss_mib)" "$disk" "$used"
}

printf '%-26s %10s %10s %10s %10s %10s %10s\n' study core_s used memory_mib used disk_mib used
for placement in pal packed-sticky random-nonsticky; do
  row "sia-philly $placement" sia-philly.toml --set policy.placement=$placement \
    --set workload.trace=../jobs/traces/sia-philly/continued/sia1.csv
  row "load-fifo $placement" load-fifo.toml --set seed=1 --set workload.jobs_per_h=12 --set policy.placement=$placement
done
for placement in pal packed-sticky; do
  row "partitions $placement" partitions.toml --set seed=1 --set cluster.partitions=8 --set routing.policy=hash \
    --set policy.placement=$placement
  for partitions in 1 16; do
    row "supercomputer $placement $partitions" supercomputer.toml --set cluster.partitions=$partitions \
      --set policy.placement=$placement
  done
done
row million million.toml
