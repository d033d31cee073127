#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# teams.sh PALSTUDY SOURCE MPIEXEC NUMPROC_FLAG [all]
# The digest of one run is the same for teams of 1, 2, 3, 4, 7 and 16 ranks, over shared memory and over TCP, for every
# routing policy, for 4 partitions and for as many as there are nodes, with wide jobs and levelling at work; and one
# partition shared by many ranks gives what it gives alone. `all`: every number of ranks with every number of partitions and
# every routing policy; else of each several.
set -euo pipefail
palstudy=$1 source=$2 mpiexec=$3 numproc=$4 which=${5:-some}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
study=$source/tests/mpi/partitions.toml one=$source/tests/mpi/partitions.toml

digest_of() { # name, settings; then -- and what to put before the program
  local name=$1 settings=() before=()
  shift
  while [[ $# -gt 0 && $1 != -- ]]; do settings+=(--set "$1"); shift; done
  [[ $# -gt 0 ]] && shift && before=("$@")
  "${before[@]}" "$palstudy" run "$study" -o "$folder/$name.h5" --team 16 "${settings[@]}" > /dev/null
  "$palstudy" digest "$folder/$name.h5"
}
same() { # what it is, its digest, the digest wanted
  [[ $3 =~ ^[0-9a-f]{64}$ ]] || { echo "$1: no digest: $3"; exit 1; }
  [[ $2 == "$3" ]] || { echo "$1: $2 instead of $3"; exit 1; }
  echo "$1: same digest"
}

compare() { # routing, partitions, numbers of ranks
  local routing=$1 partitions=$2 name="$1-$2" want got ranks
  shift 2
  want=$(digest_of "alone-$name" "routing.policy=$routing" "cluster.partitions=$partitions")
  for ranks in "$@"; do
    got=$(digest_of "$name-$ranks" "routing.policy=$routing" "cluster.partitions=$partitions" -- "$mpiexec" "$numproc" "$ranks")
    same "$routing, $partitions partitions, $ranks ranks" "$got" "$want"
  done
}

for routing in hash least-loaded shortest-queue variability-aware; do
  if [[ $which == all ]]; then
    for partitions in 1 4 64; do compare $routing $partitions 1 2 3 4 7 16; done
  else
    compare $routing 4 2 4 7
  fi
done
if [[ $which == some ]]; then
  compare least-loaded 1 3 16
  compare least-loaded 64 3 16
fi
want=$("$palstudy" digest "$folder/alone-least-loaded-64.h5")
tcp=(env "OMPI_MCA_btl=self,tcp" OMPI_MCA_btl_tcp_if_include=lo "$mpiexec" "$numproc" 3)
same "64 partitions, 3 ranks over TCP" "$(digest_of tcp cluster.partitions=64 -- "${tcp[@]}")" "$want"

# Partitions of given sizes, and of tenants, with nodes that go down and that drain.
printf 'node,from_s,to_s,kind\n3,600,9000,down\n20,0,30000,drain\n21,4000,30000,drain\n63,1000,2000,down\n' > "$folder/outages.csv"
(echo job_id,submit_s,num_gpus,iterations,iteration_s,class,tenant
 for i in $(seq 0 199); do echo "$i,$((i * 120)),$((1 + i * 7 % 9)),$((600 + i * 131 % 5000)),1,A,vc$((i % 3))"; done) > "$folder/jobs.csv"
sed -e '/^generator/d; /^jobs_per_h/d; s|^\[workload\]|&\ntrace = "jobs.csv"\nreader = "native"|; s/last = 299/last = 199/' "$one" > "$folder/tenants.toml"
study=$folder/tenants.toml
for partitions in "[128,64,60,4]" "{vc0=128,vc1=96,vc2=32}"; do
  name=sizes-${#partitions} policy=least-loaded
  [[ $partitions == *=* ]] && policy=tenant
  settings=("cluster.partitions=$partitions" "routing.policy=$policy" "cluster.outages=$folder/outages.csv")
  want=$(digest_of "$name-alone" "${settings[@]}")
  for ranks in 1 2 3; do
    same "partitions $partitions, $ranks ranks" "$(digest_of "$name-$ranks" "${settings[@]}" -- "$mpiexec" "$numproc" $ranks)" "$want"
  done
done

# Quotas over partitions, among them jobs wider than any.
quotas=(cluster.partitions=64 "tenants.gpus={vc0=64,vc1=96,vc2=96}" policy.backfill=greedy policy.placement=pal-sticky
  policy.order=fifo tenants.preempt_occupancy=0.8 gang.timeout_s=600 ladder.attempts=2 output.jobs=true)
want=$(digest_of quotas-alone "${quotas[@]}")
for ranks in 2 3 7; do
  same "quotas, $ranks ranks" "$(digest_of quotas-$ranks "${quotas[@]}" -- "$mpiexec" "$numproc" $ranks)" "$want"
done
"$palstudy" verify "$folder/quotas-7.h5" > /dev/null
study=$one

# Attempts that fail, at places of their own: the same failures, whoever has the partitions.
failing=(cluster.partitions=4 failures.model=philly failures.faults=gpu failures.slow=true failures.checkpoint_s=600
  failures.validate_s=60)
want=$(digest_of failing-alone "${failing[@]}")
for ranks in 2 3 7; do
  same "failures, $ranks ranks" "$(digest_of failing-$ranks "${failing[@]}" -- "$mpiexec" "$numproc" $ranks)" "$want"
done
[[ $("$palstudy" export "$folder/failing-alone.h5" --table failures | wc -l) -gt 100 ]] || { echo "few failures"; exit 1; }
"$palstudy" verify "$folder/failing-7.h5" > /dev/null

# With as many partitions as nodes jobs wider than a partition fail as well.
failing[0]=cluster.partitions=64
want=$(digest_of failing-wide "${failing[@]}")
same "failures of wide jobs, 3 ranks" "$(digest_of failing-wide-3 "${failing[@]}" -- "$mpiexec" "$numproc" 3)" "$want"
"$palstudy" export "$folder/failing-wide.h5" --table jobs |
  awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) column[$i] = i } $column["partition"] == -1 && $column["attempts"] > 1 { n++ } END { exit !n }' ||
  { echo "no job wider than a partition fails"; exit 1; }

# Two teams of two share two runs.
{ cat "$study"; printf '\n[axes]\n"cluster.partitions" = [4, 64]\n'; } > "$folder/both.toml"
study=$folder/both.toml
want=$(digest_of both)
"$mpiexec" "$numproc" 4 "$palstudy" run "$study" -o "$folder/teams.h5" --team 2 > /dev/null
same "two teams of two" "$("$palstudy" digest "$folder/teams.h5")" "$want"
"$palstudy" verify "$folder/teams.h5" > /dev/null

# At every boundary a rank sends 7 cells and the names of 3 jobs for each of its partitions, 8 bytes each, whatever the
# number of jobs and GPUs; 8 bytes a reduction come on top. How many of the 4 partitions a rank has depends on the time
# that they took, so both ranks are counted together.
for gpus in 256 512; do
  "$mpiexec" "$numproc" 2 "$palstudy" run "$one" -o "$folder/explained-$gpus.h5" --team 2 --explain-comm \
    --set cluster.gpus=$gpus > "$folder/comm.txt"
  [[ $(awk '$1 ~ /^[01]$/ { extra += $4 - 8 * $3 / $2; n++ } END { extra -= 320; print (n == 2 && extra >= 0 && extra < 4) }' "$folder/comm.txt") == 1 ]] ||
    { cat "$folder/comm.txt"; exit 1; }
done

# There are wide jobs, else the test would show less than it says.
"$palstudy" export "$folder/alone-least-loaded-64.h5" --table jobs |
  awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i == "partition") c = i } NR > 1 && $c == -1 { n++ } END { exit !n }' ||
  { echo "no job is wider than a partition"; exit 1; }
