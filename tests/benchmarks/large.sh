#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The large studies, and what a second rank brings to one run, as medians of five with the least and the most beside them:
#   tests/benchmarks/large.sh build/release/palstudy [REPEATS]
# Each study is one run and each run a process of its own, so that its memory is its own. Time and memory are those that
# /provenance/runs has of the engine. One and two ranks take turns, so that a slow minute of the machine meets both. Needs
# two idle cores. Campaigns of many runs: ranks.sh.
set -euo pipefail
program=$(realpath "$1")
repeats=${2:-5}
cd "$(dirname "$0")/../../experiments"
# shellcheck source=../../scripts/mpi-env.sh
. ../scripts/mpi-env.sh
mpi_share_cores
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT

column() { # of /provenance/runs, of the one run
  h5dump -y -w 0 -d "/provenance/runs/$1" "$scratch/out.h5" | sed -n '/DATA {/{n;p;q}' | tr -d ' '
}
median() { # least median most, of a file of numbers
  sort -g "$1" | awk '{v[NR] = $1} END {printf "%10.4g %10.4g %10.4g", v[1], (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2, v[NR]}'
}
ratio() { # of medians
  paste <(median "$1") <(median "$2") | awk '{printf "%s: one rank takes %.2f times as long as two\n", what, $2 / $5}' what="$3"
}
once() { # NAME RANKS ARGUMENTS of run: appends seconds and MiB to NAME.s and NAME.mib
  local name=$1 ranks=$2
  shift 2
  mpirun -n "$ranks" "$program" run "$@" -o "$scratch/out.h5" --force 2>/dev/null
  column wall_s >>"$scratch/$name.s"
  column peak_rss_mib >>"$scratch/$name.mib"
}
say() { printf '%-34s %s  %s\n' "$2" "$(median "$scratch/$1.s")" "$(median "$scratch/$1.mib" | awk '{print $3}')"; }

# The two weeks and the one run that docs/evidence/performance.md has.
two_weeks=(--set seed=1 --set measure.window_s=777600 --set measure.end_s=1209600 --set workload.weekdays=true --set output.jobs=true)
one_run=(--set seed=1 --set policy.placement=pal)

printf '%-34s %10s %10s %10s  %s\n' run least_s median_s most_s most_mib
for placement in pal packed-sticky; do
  for partitions in 1 16; do
    for ((i = 0; i < repeats; ++i)); do
      once "s$partitions" 1 supercomputer.toml "${two_weeks[@]}" --set cluster.partitions="$partitions" \
        --set policy.placement=$placement
    done
    say "s$partitions" "supercomputer $placement P = $partitions"
    rm "$scratch/s$partitions".*
  done
done
for ((i = 0; i < repeats; ++i)); do
  once one 1 million.toml "${one_run[@]}"
  once two 2 million.toml "${one_run[@]}" --team 2
done
say one "million, one rank"
say two "million, a team of two"
ratio "$scratch/one.s" "$scratch/two.s" "a run of 64 partitions"
