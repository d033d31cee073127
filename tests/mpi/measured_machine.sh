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

# Working sets that stay in a core's own cache: ranks share the cores, and the clock is the thread's CPU time. What else
# runs on a core's other hardware thread still shows: it doubles the times of a kernel that wants all of the core's units,
# for seconds, so that medians of `sgemm` differ by a fifth between equal cores. `fma-peak` waits for its own results as
# long as it computes, so its times stand for the class. They follow the clock, by 10 %, but on all cores alike: twelve
# short repeats in turn with the others meet the same clocks and are 1 % apart, where five longer ones were 4 %.
small=(--backend host --hosts-of 2 --param sgemm.n=64 --param triad.n=2048 --param pagerank.scale=8 --param fma-peak.steps=256
  --param transformer.hidden=32 --param transformer.heads=4 --param transformer.length=16 --param transformer.batch=2
  --batch-s 0.001 --warm-up-s 0.003 --repeat-s 0.015)
printf 'rank,factor\n3,1.15\n5,1.3\n6,1.5\n' > slow.csv
for session in 1 2 3; do
  "$mpiexec" "$numproc" 8 "$palstudy" measure -o "s$session.h5" "${small[@]}" --repeats 12 --plant slow.csv --session "day-$session" \
    2> "measure-$session.txt" || fail "session $session failed"
done
for few in 1 2; do
  "$mpiexec" "$numproc" 2 "$palstudy" measure -o "few$few.h5" "${small[@]}" --repeats 1 2> few.txt || fail "few"
done

# One session, or 2 GPUs in two of them, are not enough.
cp "$source/tests/mpi/measured_machine.toml" study.toml
cat > classes.toml <<'END'
[classes.one]
A = "fma-peak"
END
jobs() { # how many, of which class, how many at a time
  echo job_id,submit_s,num_gpus,iterations,iteration_s,class
  for ((job = 0; job < $1; ++job)); do echo "$job,$(((job - job % $3) * 250)),1,300,1,$2"; done
}
jobs 8 A 8 > all-gpus.csv
jobs 60 A 4 > half-full.csv
"$palstudy" profile merge few1.h5 few2.h5 -o few.h5 2> merge.txt
"$palstudy" profile merge s3.h5 s1.h5 s2.h5 -o machine.h5 2> merge.txt
"$palstudy" verify machine.h5 > verify.txt || fail "the merged profile does not verify"
study=(study.toml --set workload.trace=half-full.csv)
for profile in s1 few; do
  [[ $profile == s1 ]] && reason="1 session, and 2 are needed" || reason="2 GPUs, and 8 are needed"
  refused 3 "$reason" "$palstudy" classify $profile.h5
  refused 3 "8 GPUs and 2 sessions are needed" "$palstudy" run "${study[@]}" -o no.h5 --set cluster.source=block --set cluster.gpus=32 \
    --set cluster.profile=$profile.h5
  [[ ! -e no.h5 && ! -e no.h5.parts ]] || fail "a refusal left something"
done

# By node the slowest come first: 1.5 (rank 6), 1.3 (rank 5), 1.15 (rank 3).
"$palstudy" profile show machine.h5 --wide > show.txt
nodes=$(awk '$1 == "fma-peak" && $2 ~ /^pretended-/ { printf "%s ", substr($2, 11) }' show.txt)
[[ $nodes == "3 2 1 0 " ]] || fail "the slowest nodes are, in this order, $nodes"
slowest=$(awk '$1 == "fma-peak" && $2 ~ /^host-/ { printf "%s ", substr($2, 16) }' show.txt)
[[ $slowest == "3-0 2-1 1-1 "* ]] || fail "the slowest cores are, in this order, $slowest"
# The three slowed are the last in each half of the sessions, so the ranks correlate at 0.52 at least, whatever the order of
# the other five is.
"$palstudy" profile reliability machine.h5 --json > reliability.json 2> reliability.txt || fail "no reliability"
again=$(awk '/"measurement"/ { here = /"fma-peak"/ } here && /"between_sessions"/ { print $2 + 0 }' reliability.json)
awk -v again="$again" 'BEGIN { exit !(again > 0.5) }' || fail "what was slow is slow again at $again only"
"$palstudy" classify machine.h5 -o classified.toml --name found > classes.txt 2>&1 || fail "not classified"

# Eight jobs of one GPU at a time feel all eight: each slowed core has its factor over the median core, which is not
# slowed, and comes after all others.
"$palstudy" run study.toml -o all.h5 --set workload.trace=all-gpus.csv --set policy.placement=packed-sticky 2> run.txt || fail "no run"
"$palstudy" export all.h5 --table jobs > jobs.csv
awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i } NR > 1 { print $at["slowdown_mean"] }' jobs.csv | sort -g > slowdowns.txt
printf '%s\n' 1 1 1 1 1 1.15 1.3 1.5 | paste -d' ' - slowdowns.txt > factors.txt
awk '{ n++; off = $2 / $1 - 1; if (off < -0.03 || off > 0.03) bad = 1 } END { exit bad || n != 8 }' factors.txt ||
  fail "the planted factors do not come back"

{
  cat study.toml
  printf '[axes]\n"policy.placement" = ["pal", "random-sticky"]\n[compare]\nbaseline = "random-sticky"\n'
} > both.toml
# Four jobs at a time on eight GPUs: PAL takes none of the slowed, random placement does; less than 1.12 is none of them. On
# 32 GPUs drawn from the same nodes, whose slowdowns are smoothed, PAL's are smaller in the mean, and by far the largest
# are not among them. Compare says what that is worth.
pal_avoids() { # cluster.source, most that PAL may take, options
  local source=$1 most=$2
  shift 2
  "$palstudy" run both.toml -o pal.h5 --force --set workload.trace=half-full.csv --set "cluster.source=$source" "$@" \
    2> run.txt || fail "no run with $source"
  "$palstudy" export pal.h5 --table jobs > jobs.csv
  "$palstudy" export pal.h5 --table runs > runs.csv
  awk -F, -v limit="$most" 'FNR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i; file++; next }
    file == 1 { policy[$at["run"]] = $at["policy.placement"]; next }
    { p = policy[$at["run"]]; s = $at["slowdown_mean"]; sum[p] += s; if (s > most[p]) most[p] = s }
    END {
      pal = "pal"; random = "random-sticky"
      print most[pal], most[random], sum[pal] / 60, sum[random] / 60
      exit !(most[pal] < limit && most[random] > 1.12 && sum[pal] < 0.97 * sum[random])
    }' runs.csv jobs.csv > "most-$source.txt" || fail "PAL does not avoid the slowed cores with $source"
  "$palstudy" compare pal.h5 > compare.txt || fail "no comparison"
  grep -q '^pal ' compare.txt || fail "compare does not tell PAL's gain"
}
pal_avoids measured 1.12
pal_avoids block 1.2 --set cluster.gpus=32
# The table that classify writes stands in a study as well; whether what it names is as steady, the machine decides.
"$palstudy" run both.toml -o found.h5 --set workload.trace=half-full.csv --set cluster.classes=classified.toml 2> run.txt ||
  fail "no run with the classes found"
"$palstudy" compare found.h5 > compare.txt || fail "no comparison with the classes found"
echo "factor and slowdown: $(paste -sd, factors.txt); between sessions: $again"
echo "largest slowdown of PAL's and of random placement's jobs, and the means: $(paste -sd, most-*.txt)"
