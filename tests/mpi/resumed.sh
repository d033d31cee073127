#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# resumed.sh PALSTUDY SOURCE MPIEXEC NUMPROC_FLAG
# With what a campaign may go on: more seeds, failed runs tried again; and with what not, and what is said then.
set -euo pipefail
palstudy=$1 mpiexec=$3 numproc=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "$*"; cat "$folder/err.txt"; exit 1; }
expect() { # exit code, then the command
  local want_rc=$1 rc=0
  shift
  "$@" 2> "$folder/err.txt" || rc=$?
  [[ $rc == "$want_rc" ]] || fail "exit code $rc instead of $want_rc: $*"
}
says() { grep -q "$1" "$folder/err.txt" || fail "\"$1\" was not said"; }
same() { [[ $("$palstudy" digest "$1") == $("$palstudy" digest "$2") ]] || fail "$1: another digest than $2"; }

mkdir "$folder/good" "$folder/bad"
awk 'BEGIN { print "gpu_id,node_id,class,score"; for (g = 0; g < 64; ++g) print g "," int(g / 4) ",A," 1 + g % 7 / 10 }' \
  > "$folder/good/cluster.csv"
awk 'BEGIN { print "job_id,submit_s,num_gpus,iterations,iteration_s,class"
             for (j = 0; j < 200; ++j) print j "," 20 * j "," 1 + j % 8 "," 100 + 37 * j % 900 ",1,A" }' \
  > "$folder/good/trace.csv"
cat > "$folder/good/study.toml" <<'END'
[cluster]
gpus = 64
table = "cluster.csv"
[workload]
reader = "native"
trace = "trace.csv"
[policy]
placement = "random-sticky"
backfill = "easy"
[axes]
seed = { first = 1, count = 6 }
END
study=$folder/good/study.toml
expect 0 "$palstudy" run "$study" -o "$folder/six.h5"
expect 0 "$palstudy" run "$study" -o "$folder/ten.h5" --set 'seed=[1,2,3,4,5,6,7,8,9,10]'

# A third of six seeds, then all of ten.
expect 0 "$palstudy" run "$study" -o "$folder/grown.h5" --slice 2/3
expect 0 "$mpiexec" "$numproc" 2 "$palstudy" run "$study" -o "$folder/grown.h5" --resume --set 'seed=[1,2,3,4,5,6,7,8,9,10]'
says "8 runs in"
same "$folder/grown.h5" "$folder/ten.h5"

# A finished archive grows: by seeds, which come last; by a policy, which moves the runs that are there to other places;
# by slices that are merged. Only what is missing is done, and the core-hours of before are kept.
cp "$folder/six.h5" "$folder/more.h5"
expect 0 "$mpiexec" "$numproc" 2 "$palstudy" run "$study" -o "$folder/more.h5" --resume --set 'seed=[1,2,3,4,5,6,7,8,9,10]'
says "holds 6 of 10 runs"
says "4 runs in"
same "$folder/more.h5" "$folder/ten.h5"
"$palstudy" verify "$folder/more.h5" > /dev/null || fail "an archive that grew does not verify"
placements() { sed "s/^placement = .*//; s/^seed = .*/&\n\"policy.placement\" = $1/" "$study" > "$folder/good/$2.toml"; }
placements '["random-sticky"]' one
placements '["random-sticky", "packed-sticky"]' both
expect 0 "$palstudy" run "$folder/good/both.toml" -o "$folder/both.h5"
expect 0 "$palstudy" run "$folder/good/one.toml" -o "$folder/policy.h5"
expect 0 "$palstudy" run "$folder/good/both.toml" -o "$folder/policy.h5" --resume
says "6 runs in"
same "$folder/policy.h5" "$folder/both.h5"
"$palstudy" verify "$folder/policy.h5" > /dev/null || fail "an archive whose runs were moved does not verify"
cp "$folder/six.h5" "$folder/sliced.h5"
for slice in 1/2 2/2; do
  expect 0 "$palstudy" run "$study" -o "$folder/sliced.h5" --resume --slice $slice --set 'seed=[1,2,3,4,5,6,7,8,9,10]'
  says "2 runs in"
done
"$palstudy" status "$folder/sliced.h5" | grep -q "10 of 10" || fail "status of slices of an archive that grows"
expect 0 "$palstudy" merge "$folder/sliced.h5"
same "$folder/sliced.h5" "$folder/ten.h5"
# It does not shrink, and what --force began is not mixed with what lay there.
expect 2 "$palstudy" run "$study" -o "$folder/more.h5" --resume
says "holds 10 runs; the study has 6, and run 6 "
expect 4 "$palstudy" run "$study" -o "$folder/more.h5" --force --time-limit 0.001
expect 0 "$palstudy" run "$study" -o "$folder/more.h5" --resume
same "$folder/more.h5" "$folder/six.h5"

# Another study is refused by all ranks, and nothing is touched.
expect 0 "$palstudy" run "$study" -o "$folder/part.h5" --slice 2/3
expect 2 "$mpiexec" "$numproc" 2 "$palstudy" run "$study" -o "$folder/part.h5" --resume --set engine.round_s=300
says "engine.round_s was 360 and is 300"
expect 0 "$palstudy" run "$study" -o "$folder/part.h5" --resume
same "$folder/part.h5" "$folder/six.h5"

# Runs that fail (one rank's copy of the study has no trace) are recorded, the others go on; a resume leaves them, and
# --retry-failed tries them again.
cp "$folder/good/study.toml" "$folder/good/cluster.csv" "$folder/bad"
# shellcheck disable=SC2016
expect 3 "$mpiexec" "$numproc" 2 bash -c \
  'where=good; [[ ${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}} != 1 ]] || where=bad
   exec "$0" run "$1/$where/study.toml" -o "$2"' "$palstudy" "$folder" "$folder/failed.h5"
says "of 6 runs failed"
"$palstudy" export "$folder/failed.h5" --table runs | grep -q ",failed," || fail "no run is recorded as failed"
# Where the policy goes by estimates /runs has further columns, also in the row of a run that failed.
"$palstudy" verify "$folder/failed.h5" > /dev/null 2> "$folder/err.txt" || fail "an archive with a failed run does not verify"
# A slice minds its own failures, not those of another one.
# shellcheck disable=SC2016
expect 3 "$mpiexec" "$numproc" 2 bash -c \
  'where=good; [[ ${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}} != 1 ]] || where=bad
   exec "$0" run "$1/$where/study.toml" -o "$2" --slice 1/2' "$palstudy" "$folder" "$folder/slices.h5"
expect 0 "$palstudy" run "$study" -o "$folder/slices.h5" --slice 2/2
# Merged with its failed runs the archive is written, and merge ends as run does where runs failed; they are tried again
# from the archive.
cp -r "$folder/slices.h5.parts" "$folder/merged.h5.parts"
# shellcheck disable=SC2016
expect 3 "$mpiexec" "$numproc" 2 bash -c 'exec "$0" merge "$1" --json > "$1.json-$OMPI_COMM_WORLD_RANK$PMI_RANK"' \
  "$palstudy" "$folder/merged.h5"
says "of 6 runs failed"
says "palstudy run --resume --retry-failed"
cat "$folder"/merged.h5.json-* > "$folder/merged.json"
failed=$("$palstudy" export "$folder/merged.h5" --table runs | grep -c ",failed,")
grep -q "\"failed\": $failed" "$folder/merged.json" || fail "merge --json counts other failed runs"
[[ $("$palstudy" status "$folder/merged.h5" --json) == *"\"failed\": $failed"* ]] || fail "status --json does not count them"
expect 0 "$palstudy" run "$study" -o "$folder/merged.h5" --resume --retry-failed
same "$folder/merged.h5" "$folder/six.h5"
expect 0 "$mpiexec" "$numproc" 2 "$palstudy" run "$study" -o "$folder/slices.h5" --slice 1/2 --resume --retry-failed
expect 0 "$palstudy" merge "$folder/slices.h5"
same "$folder/slices.h5" "$folder/six.h5"
cp "$folder/failed.h5" "$folder/alone.h5"
expect 3 "$palstudy" run "$study" -o "$folder/alone.h5" --resume
says "of 6 runs failed"
expect 0 "$palstudy" run "$study" -o "$folder/alone.h5" --resume --retry-failed
same "$folder/alone.h5" "$folder/six.h5"
expect 3 "$palstudy" run "$study" -o "$folder/failed.h5" --resume
says "0 runs in"
expect 0 "$mpiexec" "$numproc" 3 "$palstudy" run "$study" -o "$folder/failed.h5" --resume --retry-failed
same "$folder/failed.h5" "$folder/six.h5"
[[ ! -e $folder/failed.h5.parts ]] || fail "shards are left"
