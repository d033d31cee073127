#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Estimated beside used, one study a line: tests/benchmarks/estimates.sh build/release/palstudy [NAME]...
# Each study is one run, so that memory is that of a process of its own, but for the campaigns at the end, of which time
# is the sum of wall_s over the runs and memory is left out. With names only the lines that begin with one.
# Seconds used by a run are wall_s times the share of a core that the command got, so that others at work do not count.
# The last column says what is not within a factor of 2 (time) or 20 % (memory, disk).
set -euo pipefail
program=$(realpath "$1")
shift
wanted=("$@")
cd "$(dirname "$0")/../../experiments"
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT

column() { # of /provenance/runs, of the one run
  h5dump -y -w 0 -d "/provenance/runs/$1" "$scratch/out.h5" | sed -n '/DATA {/{n;p;q}' | tr -d ' '
}
is_wanted() { # NAME
  local prefix
  for prefix in "${wanted[@]:-}"; do
    [[ $1 != "$prefix"* ]] || return 0
  done
  return 1
}
archive_mib() {
  stat -c %s "$scratch/out.h5" | awk '{printf "%.3g", $1 / 1048576}'
}
row() {
  local name=$1
  shift
  is_wanted "$name" || return 0
  local line # no process substitution: its time would be counted with the run's
  line=$("$program" plan "$@" 2>/dev/null | sed -n 2p | awk '{print $(NF-3), $(NF-2), $(NF-1), $NF}')
  read -r how core_s memory disk <<<"$line"
  local TIMEFORMAT='%R %U %S'
  { time "$program" run "$@" -o "$scratch/out.h5" --force 2>/dev/null; } 2>"$scratch/time"
  local used
  used=$(archive_mib)
  awk -v times="$(<"$scratch/time")" -v name="$name" -v how="$how" -v core_s="$core_s" -v wall_s="$(column wall_s)" -v memory="$memory" \
    -v rss="$(column peak_rss_mib)" -v disk="$disk" -v used="$used" 'BEGIN {
      split(times, t, " ")
      share = (t[2] + t[3]) / t[1]
      if (share < 1 && wall_s > 0.05) wall_s *= share  # of shorter runs reading the inputs is most
      off = ""
      if (core_s / wall_s > 2 || wall_s / core_s > 2) off = off " time"
      if (memory / rss > 1.2 || rss / memory > 1.25) off = off " memory"
      if (disk / used > 1.2 || used / disk > 1.25) off = off " disk"
      printf "%-34s %-10s %8s %8.3g %8s %8.4g %8s %8s%s\n", name, how, core_s, wall_s, memory, rss, disk, used, off
    }'
}
campaign() { # NAME: experiments/NAME.toml whole
  is_wanted "campaign $1" || return 0
  "$program" plan "$1.toml" 2>/dev/null >"$scratch/plan"
  "$program" run "$1.toml" -o "$scratch/out.h5" --force 2>/dev/null
  local wall_s core_s disk
  wall_s=$(h5dump -y -w 0 -d /provenance/runs/wall_s "$scratch/out.h5" | sed -n '/DATA {/,/}/p' | tr ',' '\n' | awk '{s += $1} END {print s}')
  core_s=$(awk '$1 ~ /^[0-9]+$/ && NF > 5 && $2 !~ /^runs?,$/ {s += $(NF - 2)} END {print s}' "$scratch/plan")
  disk=$(sed -n 's/.*disk: \([0-9.]*\) MiB.*/\1/p' "$scratch/plan")
  awk -v name="campaign $1" -v core_s="$core_s" -v wall_s="$wall_s" -v disk="$disk" -v used="$(archive_mib)" 'BEGIN {
      off = ""
      if (core_s / wall_s > 2 || wall_s / core_s > 2) off = off " time"
      if (disk / used > 1.2 || used / disk > 1.25) off = off " disk"
      printf "%-34s %-10s %8.3g %8.3g %8s %8s %8s %8s%s\n", name, "", core_s, wall_s, "", "", disk, used, off
    }'
}

# The two weeks and the four days that docs/performance.md has.
until_s=(--set measure.end_s=1209600 --set workload.weekdays=true)
two_weeks=("${until_s[@]}" --set seed=1 --set measure.window_s=777600 --set output.jobs=true)
four_days=("${until_s[@]}" --set measure.window_s=259200)

printf '%-34s %-10s %8s %8s %8s %8s %8s %8s\n' study estimate core_s used mem_mib used disk_mib used
for placement in pal packed-sticky random-nonsticky; do
  row "sia-philly $placement" sia-philly.toml --set policy.placement=$placement \
    --set workload.trace=../jobs/traces/sia-philly/continued/sia1.csv
  row "load-fifo $placement" load-fifo.toml --set seed=1 --set workload.jobs_per_h=12 --set policy.placement=$placement
done
for placement in pal packed-sticky pal-sticky; do
  row "partitions $placement" partitions.toml "${four_days[@]}" --set seed=1 --set cluster.partitions=8 --set routing.policy=hash \
    --set policy.placement=$placement
  for partitions in 1 16; do
    row "supercomputer $placement $partitions" supercomputer.toml "${two_weeks[@]}" --set cluster.partitions=$partitions \
      --set policy.placement=$placement
  done
done
# Who is moved at every boundary is most of what is written down.
for gpus in 4096 32768; do
  for round_s in 60 300; do
    row "events $gpus, $round_s s" partitions.toml "${four_days[@]}" --set seed=1 --set cluster.partitions=8 --set routing.policy=hash \
      --set policy.placement=pal --set output.events=true --set cluster.gpus=$gpus --set engine.round_s=$round_s
  done
done
row "events, partitions 64, 60 s" partitions.toml "${four_days[@]}" --set seed=1 --set cluster.partitions=64 --set routing.policy=hash \
  --set policy.placement=pal --set output.events=true --set cluster.gpus=16384 --set engine.round_s=60
for placement in packed-nonsticky random-nonsticky; do
  for order in fifo srtf; do
    row "events $order $placement" partitions.toml "${four_days[@]}" --set seed=1 --set cluster.partitions=8 --set routing.policy=hash \
      --set policy.placement=$placement --set policy.order=$order --set output.events=true --set cluster.gpus=16384
  done
done
row "events supercomputer" supercomputer.toml "${two_weeks[@]}" --set cluster.partitions=16 --set policy.placement=pal --set output.events=true
row "events philly" philly.toml --set seed=1 --set output.events=true
# Orders that stop running jobs, from a load at which nobody waits to one at which the queue grows without end.
for order in las srtf; do
  for load in 8 11 14; do
    for placement in pal packed-sticky packed-nonsticky random-sticky random-nonsticky; do
      row "load-$order $load $placement" load-$order.toml --set seed=2 --set workload.jobs_per_h=$load \
        --set policy.placement=$placement
    done
  done
done
# Tenants and attempts that fail.
row "philly" philly.toml --set seed=1
row "philly without failures" philly.toml --set seed=1 --set failures.model=none
row "philly, fewer measured" philly.toml --set seed=1 --set measure.window_s=400000
row million million.toml --set seed=1 --set policy.placement=pal
# Many runs: what they have in common, and what compression makes of rows that are like those of other runs.
for name in sia-philly locality-sweep claire-ensemble megatron-mix migration straggler trust partitions scale philly philly-spread \
  philly-failures load-fifo load-srtf; do
  campaign $name
done
