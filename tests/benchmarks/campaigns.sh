#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What keeping the results costs a campaign:
#   tests/benchmarks/campaigns.sh build/release/palstudy
# 1. Saving: 200 runs of about 50 ms with all their jobs; what of the campaign's time is not simulation, less what one
#    run alone takes for the inputs; the same of a campaign that keeps no jobs and writes into memory, since starting
#    runs takes time too; and how long the whole command takes with a checkpoint every second.
# 2. Merging their shards, beside `cp` and `sync` of the same bytes, and the memory that it takes.
# 3. Going on with a campaign of which 100,000 runs are finished and one is missing: the seconds of the whole command.
# Needs an idle core; medians of three.
set -euo pipefail
program=$(realpath "$1")
scratch=$(mktemp -d)
memory=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d)
trap 'rm -r "$scratch" "$memory"' EXIT
cd "$scratch"

seconds() { # COMMAND: its wall time
  local began=$EPOCHREALTIME
  "$@" >log 2>&1
  awk "BEGIN {printf \"%.3f\n\", $EPOCHREALTIME - $began}"
}
median3() { printf '%s\n' "$@" | sort -g | sed -n 2p; }

cat >fifty.toml <<'TOML'
[study]
name = "fifty"
[cluster]
gpus = 2048
gpus_per_node = 8
source = "block"
profile = "longhorn"
[workload]
generator = "philly"
rho = 0.7
end_s = 172800
[measure]
window_s = 172800
end_s = 1209600
[engine]
round_s = 300
[axes]
"engine.starvation_s" = { first = 1000001, count = 200 }
TOML

simulated() { # the sum of wall_s
  h5dump -y -w 0 -d /provenance/runs/wall_s "$1" | awk '/DATA \{/ {inside = 1; next} inside && /}/ {exit} inside' |
    tr , '\n' | awk '{s += $1} END {print s}'
}
for i in 1 2 3; do
  whole[i]=$(seconds "$program" run fifty.toml -o plain.h5 --force)
  runs[i]=$(sed -n 's/.*200 runs in \([0-9.]*\) s.*/\1/p' log)
  engine[i]=$(simulated plain.h5)
  "$program" run fifty.toml -o one.h5 --force --set engine.starvation_s=1000001 >log 2>&1
  inputs=$(awk "BEGIN {print $(sed -n 's/.* 1 run in \([0-9.]*\) s.*/\1/p' log) - $(simulated one.h5)}")
  beyond[i]=$(awk "BEGIN {print 100 * ((${runs[i]} - $inputs) / ${engine[i]} - 1)}")
  "$program" run fifty.toml -o "$memory/none.h5" --force --set output.jobs=false >log 2>&1
  none[i]=$(awk "BEGIN {print 100 * (($(sed -n 's/.*200 runs in \([0-9.]*\) s.*/\1/p' log) - $inputs) / $(simulated "$memory/none.h5") - 1)}")
  with[i]=$(seconds "$program" run fifty.toml -o saved.h5 --force --set engine.checkpoint_s=1)
done
printf 'saving: %.1f ms a run; %.2f s simulating, and %.2f %% more until all is in the shards, of which %.2f %% also where nothing is kept; whole command %.2f s, with a checkpoint a second %.2f s\n' \
  "$(awk "BEGIN {print 1000 * $(median3 "${engine[@]}") / 200}")" "$(median3 "${engine[@]}")" \
  "$(median3 "${beyond[@]}")" "$(median3 "${none[@]}")" "$(median3 "${whole[@]}")" "$(median3 "${with[@]}")"

"$program" run fifty.toml -o shards.h5 --slice 1/1 >log 2>&1
cp -r shards.h5.parts kept
for i in 1 2 3; do
  rm -rf shards.h5.parts copied
  cp -r kept shards.h5.parts
  copy[i]=$(seconds sh -c 'cp -r kept copied && sync copied/*.shard')
  merge[i]=$(seconds "$program" merge shards.h5 --force)
done
printf 'merging: %s MB of shards in %s s, %s MB of archive; cp and sync of the shards %s s\n' \
  "$(du -cm kept/*.shard | tail -1 | cut -f1)" "$(median3 "${merge[@]}")" "$(du -m shards.h5 | cut -f1)" \
  "$(median3 "${copy[@]}")"

printf 'job_id,submit_s,num_gpus,iterations,iteration_s,class\n0,0,1,100,1,A\n1,10,2,100,1,A\n' >two.csv
cat >many.toml <<'TOML'
[study]
name = "many"
[cluster]
gpus = 8
profile = "longhorn"
source = "block"
[workload]
trace = "two.csv"
reader = "native"
[measure]
jobs = { first = 0, last = 1 }
[output]
jobs = false
[axes]
"engine.starvation_s" = { first = 1000001, count = 100000 }
TOML
"$program" run many.toml -o many.h5 --slice 1/1 >log 2>&1
sed -i 's/count = 100000/count = 100001/' many.toml
cp -r many.h5.parts kept-many
for i in 1 2 3; do
  rm -rf many.h5.parts
  cp -r kept-many many.h5.parts
  resume[i]=$(seconds "$program" run many.toml -o many.h5 --resume --slice 1/1)  # a slice, so that nothing is merged
done
printf 'resume: %s MB of shards of 100,000 runs, one more run: %s s for the whole command\n' \
  "$(du -cm kept-many/*.shard | tail -1 | cut -f1)" "$(median3 "${resume[@]}")"
