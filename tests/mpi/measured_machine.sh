#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# measured_machine.sh PALSTUDY SOURCE MPIEXEC NUMPROC_FLAG
# From `measure` to `compare` with a known answer: 8 cores pose as 4 nodes x 2, three of them are slowed by known factors
# inside the kernels' loops, in three sessions. The factors come back within 3 %, the slowed come last, PAL avoids them;
# what is too little for a cluster or for classes is refused with the reason.
set -euo pipefail
palstudy=$1 source=$2 mpiexec=$3 numproc=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
fail() { echo "$*"; for log in "$folder"/*.txt; do echo "== $log"; cat "$log"; done; exit 1; }
refused() { # exit code, words of the reason, command...
  local want=$1 words=$2 rc=0
  shift 2
  "$@" > refused.txt 2>&1 || rc=$?
  [[ $rc == "$want" ]] || fail "exit code $rc instead of $want: $*"
  grep -q "$words" refused.txt || fail "the reason \"$words\" is not told: $*"
}

# Working sets that stay in a core's own cache: ranks share the cores, and the clock is the thread's CPU time.
small=(--backend host --hosts-of 2 --param sgemm.n=64 --param triad.n=2048 --param pagerank.scale=8 --param fma-peak.steps=256
  --param transformer.hidden=32 --param transformer.heads=4 --param transformer.length=16 --param transformer.batch=2
  --batch-s 0.002 --warm-up-s 0.04)
printf 'rank,factor\n3,1.15\n5,1.3\n6,1.5\n' > slow.csv
for session in 1 2 3; do
  "$mpiexec" "$numproc" 8 "$palstudy" measure -o "s$session.h5" "${small[@]}" --repeat-s 0.15 --plant slow.csv --session "day-$session" \
    2> "measure-$session.txt" || fail "session $session failed"
done
for few in 1 2; do
  "$mpiexec" "$numproc" 2 "$palstudy" measure -o "few$few.h5" "${small[@]}" --repeat-s 0.01 --repeats 1 2> few.txt || fail "few"
done

# One session, or 2 GPUs in two of them, are not enough.
cp "$source/tests/mpi/measured_machine.toml" study.toml
{
  echo job_id,submit_s,num_gpus,iterations,iteration_s,class
  job=0
  for class in A B D; do
    for _ in 1 2 3 4 5 6 7 8; do
      echo "$job,$(((job - job % 8) * 125)),1,100,1,$class"
      job=$((job + 1))
    done
  done
} > all-gpus.csv
{
  echo job_id,submit_s,num_gpus,iterations,iteration_s,class
  for job in $(seq 0 59); do echo "$job,$(((job - job % 4) * 250)),1,300,1,A"; done
} > half-full.csv
"$palstudy" profile merge few1.h5 few2.h5 -o few.h5 2> merge.txt
"$palstudy" profile merge s3.h5 s1.h5 s2.h5 -o machine.h5 2> merge.txt
"$palstudy" verify machine.h5 > verify.txt || fail "the merged profile does not verify"
study=(study.toml --set workload.trace=half-full.csv)
for profile in s1 few; do
  refused 3 "8 GPUs and 2 sessions" "$palstudy" classify $profile.h5
  refused 3 "8 GPUs and 2 sessions" "$palstudy" run "${study[@]}" -o no.h5 --set cluster.source=block --set cluster.gpus=32 \
    --set cluster.profile=$profile.h5
  [[ ! -e no.h5 && ! -e no.h5.parts ]] || fail "a refusal left something"
done

# The slowed cores' nodes come first among the slow ones: 1.5 (rank 6), 1.3 (rank 5), 1.15 (rank 3).
"$palstudy" profile show machine.h5 > show.txt
for kernel in sgemm transformer pagerank; do
  nodes=$(awk -v kernel=$kernel '$1 == kernel && $2 ~ /^pretended-/ { printf "%s ", substr($2, 11) }' show.txt)
  [[ $nodes == "3 2 1 0 " ]] || fail "by $kernel the slowest nodes are, in this order, $nodes"
done
"$palstudy" profile reliability machine.h5 > reliability.txt 2>&1 || fail "no reliability"
"$palstudy" classify machine.h5 > classes.txt 2>&1 || fail "not classified"

# Eight jobs of one GPU at a time feel all eight, once for each class: sorted, the slowdowns are the factors over that of
# the median core, which is not slowed.
"$palstudy" run study.toml -o all.h5 --set workload.trace=all-gpus.csv --set policy.placement=packed-sticky 2> run.txt || fail "no run"
"$palstudy" export all.h5 --table jobs > jobs.csv
for class in A B D; do
  awk -F, -v class=$class 'NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i } NR > 1 && $at["class"] == class { print $at["slowdown_mean"] }' \
    jobs.csv | sort -g > "slowdowns-$class.txt"
  printf '%s\n' 1 1 1 1 1 1.15 1.3 1.5 | paste -d' ' - "slowdowns-$class.txt" |
    awk '{ n++; off = $2 / $1 - 1; if (off < -0.03 || off > 0.03) bad = 1 } END { exit bad || n != 8 }' ||
    fail "the planted factors of class $class do not come back"
done

{
  cat study.toml
  printf '[axes]\n"policy.placement" = ["pal", "random-sticky"]\n[compare]\nbaseline = "random-sticky"\n'
} > both.toml
# Four jobs at a time on eight GPUs: PAL never takes a slowed one, random placement does, and compare says what that
# is worth. On a larger cluster drawn from the same nodes too.
for cluster in "source=measured" "source=block --set cluster.gpus=32"; do
  # shellcheck disable=SC2086
  "$palstudy" run both.toml -o pal.h5 --force --set workload.trace=half-full.csv --set cluster.$cluster 2> run.txt ||
    fail "no run with $cluster"
  "$palstudy" export pal.h5 --table jobs > jobs.csv
  "$palstudy" export pal.h5 --table runs > runs.csv
  awk -F, 'FNR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i; file++; next }
    file == 1 { policy[$at["run"]] = $at["policy.placement"]; next }
    { p = policy[$at["run"]]; s = $at["slowdown_mean"]; if (s > most[p]) most[p] = s }
    END { print most["pal"], most["random-sticky"]; exit !(most["pal"] < 1.09 && most["random-sticky"] > 1.1) }' \
    runs.csv jobs.csv > most.txt || fail "PAL does not avoid the slowed cores with $cluster"
  "$palstudy" compare pal.h5 > compare.txt || fail "no comparison"
  grep -q '^ *pal .*jct_mean_s' compare.txt || fail "compare does not tell PAL's gain"
done
