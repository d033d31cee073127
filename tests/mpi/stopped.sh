#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# stopped.sh PALSTUDY SOURCE MPIEXEC NUMPROC_FLAG
# However often a campaign is stopped, killed or cut into slices, the archive has the digest of one that was not.
set -euo pipefail
palstudy=$1 source=$2 mpiexec=$3 numproc=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
study=$source/experiments/sia-philly.toml
fail() { echo "$*"; exit 1; }
same() { [[ $("$palstudy" digest "$1") == "$want" ]] || fail "$1: another digest"; }
expect() { # exit code, then the command
  local want_rc=$1 rc=0
  shift
  "$@" || rc=$?
  [[ $rc == "$want_rc" ]] || fail "exit code $rc instead of $want_rc: $*"
}

# Who waited is told how many runs ended; who stopped them is not told that they did.
"$palstudy" run "$study" -o "$folder/whole.h5" 2> "$folder/whole.txt"
runs=$("$palstudy" export "$folder/whole.h5" --table runs | tail -n +2 | wc -l)
grep -Eq " $runs runs? in [0-9.e+-]+ s, 0 failed" "$folder/whole.txt" || { cat "$folder/whole.txt"; fail "$runs runs are not told of"; }
want=$("$palstudy" digest "$folder/whole.h5")

# A time limit that is over at once stops after the runs at hand: nothing is merged, and a resume on more ranks does the
# rest.
expect 4 "$palstudy" run "$study" -o "$folder/limit.h5" --time-limit 0.001 2> "$folder/limit.txt"
! grep -E " runs? in .* failed" "$folder/limit.txt" || fail "a stopped campaign is told of as one that ended"
[[ ! -e $folder/limit.h5 ]] || fail "an archive of a stopped campaign"
expect 4 "$palstudy" run "$study" -o "$folder/limit.h5" --time-limit 0.001 --resume
"$mpiexec" "$numproc" 3 "$palstudy" run "$study" -o "$folder/limit.h5" --resume
same "$folder/limit.h5"

# Killed at some moment: what the shards hold is kept, a torn tail is not. (A run that was done before is fine too.)
for after in 0.05 0.1 0.2 0.3; do
  rm -rf "$folder/killed.h5" "$folder/killed.h5.parts"
  timeout --signal=KILL $after "$palstudy" run "$study" -o "$folder/killed.h5" || true
  [[ -e $folder/killed.h5 && ! -e $folder/killed.h5.parts ]] ||
    "$mpiexec" "$numproc" 2 "$palstudy" run "$study" -o "$folder/killed.h5" --resume
  same "$folder/killed.h5"
done

# A whole mpirun killed: its orphans hold the lock until they are dead, and the resume waits for them. If they have
# finished the campaign meanwhile, nothing is missing.
timeout --signal=KILL 0.5 "$mpiexec" "$numproc" 3 "$palstudy" run "$study" -o "$folder/job.h5" || true
[[ -e $folder/job.h5 && ! -e $folder/job.h5.parts ]] || "$palstudy" run "$study" -o "$folder/job.h5" --resume
same "$folder/job.h5"

# Once more, as a job that is queued again: all ranks agree that there is nothing to do, and nothing is left behind.
"$mpiexec" "$numproc" 3 "$palstudy" run "$study" -o "$folder/job.h5" --resume 2> "$folder/job.txt"
grep -q "nothing was missing" "$folder/job.txt" || { cat "$folder/job.txt"; fail "a finished campaign was not taken as one"; }
[[ ! -e $folder/job.h5.parts ]] || fail "shards of a finished campaign"
same "$folder/job.h5"

# The disk of one rank is full (a file-size limit stands for it): all end, with 3 and a word from that rank, and what the
# others have finished is kept.
# shellcheck disable=SC2016
expect 3 "$mpiexec" "$numproc" 3 bash -c '[[ ${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}} != 2 ]] || ulimit -f 1; exec "$@"' \
  bash "$palstudy" run "$study" -o "$folder/full.h5" 2> "$folder/full.txt"
grep -q "^palstudy: rank 2: " "$folder/full.txt" || { cat "$folder/full.txt"; fail "rank 2 did not say what it was"; }
[[ ! -e $folder/full.h5 ]] || fail "an archive in spite of a full disk"
"$palstudy" run "$study" -o "$folder/full.h5" --resume
same "$folder/full.h5"

# SIGTERM ends a campaign early, with 4; before it has begun, as usual (timeout says 124, or 143 of the shell).
rc=0
timeout --preserve-status --signal=TERM 0.2 "$palstudy" run "$study" -o "$folder/term.h5" || rc=$?
[[ $rc == 4 || $rc == 0 || $rc == 143 ]] || fail "exit code $rc after SIGTERM"
[[ $rc == 0 ]] || "$palstudy" run "$study" -o "$folder/term.h5" --resume
same "$folder/term.h5"

# Slices beside each other, then merge; merging before all are there is refused, and so is a slice done twice.
"$palstudy" run "$study" -o "$folder/slices.h5" --slice 1/3
expect 4 "$palstudy" merge "$folder/slices.h5"
"$palstudy" run "$study" -o "$folder/slices.h5" --slice 2/3 & one=$!
"$palstudy" run "$study" -o "$folder/slices.h5" --slice 3/3 & other=$!
wait $one
wait $other
expect 2 "$palstudy" run "$study" -o "$folder/slices.h5" --slice 3/3
"$mpiexec" "$numproc" 2 "$palstudy" merge "$folder/slices.h5"
same "$folder/slices.h5"
[[ ! -e $folder/slices.h5.parts ]] || fail "merge left the shards"

# One rank of a team cannot read what the others can (its copy of the study has no trace): all end at once, with a word
# from that rank, and what lies there can be resumed.
mkdir "$folder/good" "$folder/bad"
awk 'BEGIN { print "gpu_id,node_id,class,score"; for (g = 0; g < 64; ++g) print g "," int(g / 4) ",A," 1 + g % 7 / 10 }' \
  > "$folder/good/cluster.csv"
awk 'BEGIN { print "job_id,submit_s,num_gpus,iterations,iteration_s,class"
             for (j = 0; j < 200; ++j) print j "," 20 * j "," 1 + j % 8 "," 100 + 37 * j % 900 ",1,A" }' \
  > "$folder/good/trace.csv"
cat > "$folder/good/study.toml" <<'END'
[cluster]
gpus = 64
partitions = 4
table = "cluster.csv"
[workload]
reader = "native"
trace = "trace.csv"
END
cp "$folder/good/study.toml" "$folder/good/cluster.csv" "$folder/bad"
for ranks in 2 4; do
  # shellcheck disable=SC2016
  expect 1 timeout 60 "$mpiexec" "$numproc" "$ranks" bash -c \
    'where=good; [[ ${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}} != 1 ]] || where=bad
     exec "$0" run "$1/$where/study.toml" -o "$2" --team 4' "$palstudy" "$folder" "$folder/one-$ranks.h5" \
    2> "$folder/one.txt"
  for word in "^palstudy: rank 1: " "trace.csv"; do
    grep -q "$word" "$folder/one.txt" || { cat "$folder/one.txt"; fail "rank 1 did not say what it was"; }
  done
  "$mpiexec" "$numproc" 3 "$palstudy" run "$folder/good/study.toml" -o "$folder/one-$ranks.h5" --team 3 --resume
done
[[ $("$palstudy" digest "$folder/one-2.h5") == "$("$palstudy" digest "$folder/one-4.h5")" ]] || fail "two digests"
