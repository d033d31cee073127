#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# merged.sh PALSTUDY SOURCE MPIEXEC NUMPROC_FLAG
# However many ranks merge, the archive is the same file but for the times of its making; a merge that is killed or cannot
# write leaves the shards, and the next one ends well.
set -euo pipefail
palstudy=$1 mpiexec=$3 numproc=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "$*"; exit 1; }
cd "$folder"

awk 'BEGIN { print "gpu_id,node_id,class,score"; for (g = 0; g < 64; ++g) print g "," int(g / 4) ",A," 1 + g % 7 / 10 }' > c.csv
awk 'BEGIN { print "job_id,submit_s,num_gpus,iterations,iteration_s,class"
             for (j = 0; j < 4000; ++j) print j "," 60 * j "," 1 + j % 8 "," 100 + 37 * j % 900 ",1,A" }' > t.csv
cat > s.toml <<'END'
[cluster]
gpus = 64
table = "c.csv"
[workload]
reader = "native"
trace = "t.csv"
[policy]
placement = "random-sticky"
[axes]
seed = { first = 1, count = 80 }
[measure]
jobs = { first = 0, last = 3999 }
END
"$palstudy" run s.toml -o x.h5 --slice 1/1
cp -r x.h5.parts kept
merge() { # ranks: into x.h5, from all shards
  rm -rf x.h5 x.h5.parts
  cp -r kept x.h5.parts
  "$mpiexec" "$numproc" "$1" "$palstudy" merge x.h5
}
parts() { # the lines of checksum.parts but for the root and /provenance, which say when and on how many ranks
  local lines
  lines=$(grep -aoE '[0-9a-f]{32}  /[a-z]+' "$1" | grep -v /provenance)
  [[ $lines == *"  /jobs"* && $lines == *"  /study"* ]] || fail "no parts of the checksum in $1"
  echo "$lines"
}
merge 1
"$palstudy" verify x.h5
digest=$("$palstudy" digest x.h5)
mv x.h5 one.h5
for ranks in 2 4; do
  merge "$ranks"
  [[ ! -e x.h5.parts ]] || fail "$ranks ranks left shards behind"
  [[ $("$palstudy" digest x.h5) == "$digest" ]] || fail "$ranks ranks: another digest"
  [[ $(stat -c %s x.h5) == $(stat -c %s one.h5) ]] || fail "$ranks ranks: a file of another size"
  # When it ended, and the checksums over that, are some bytes: HDF5's, and three of 32 digits of ours.
  differ=$({ cmp -l x.h5 one.h5 || true; } | wc -l)
  ((differ < 64 + 3 * 32)) || fail "$ranks ranks: $differ bytes differ"
  [[ $(parts x.h5) == "$(parts one.h5)" ]] || fail "$ranks ranks: other checksums of what no time is in"
done
"$palstudy" verify x.h5

# Of two merges at once one makes the archive, and the other says that there is nothing left to do.
rm -rf x.h5
cp -r kept x.h5.parts
"$palstudy" merge x.h5 2> err-1.txt &
other=$!
rc=0
"$palstudy" merge x.h5 2> err-2.txt || rc=$?
other_rc=0
wait "$other" || other_rc=$?
[[ $rc$other_rc == 03 || $rc$other_rc == 30 ]] || fail "exit codes $rc and $other_rc: $(cat err-1.txt err-2.txt)"
grep -q "there are no shards to merge" err-1.txt err-2.txt || fail "$(cat err-1.txt err-2.txt)"
[[ ! -e x.h5.parts ]] || fail "two merges left $(ls x.h5.parts)"
[[ $("$palstudy" digest x.h5) == "$digest" ]] || fail "two merges: another digest"

# Where rank 0 cannot write, all ranks end with its error, and the shards stay.
rm -rf x.h5
cp -r kept x.h5.parts
mkdir x.h5.part
rc=0
"$mpiexec" "$numproc" 2 "$palstudy" merge x.h5 2> err.txt || rc=$?
[[ $rc == 3 ]] || fail "exit code $rc instead of 3: $(cat err.txt)"
[[ ! -e x.h5 ]] || fail "half an archive was left"
if diff -rq kept x.h5.parts | grep -v lock; then fail "shards were touched"; fi
rmdir x.h5.part

# All ranks killed as soon as one writes.
"$mpiexec" "$numproc" 2 "$palstudy" merge x.h5 2> err.txt &
while [[ ! -e x.h5.part && ! -e x.h5 ]] && kill -0 $! 2> /dev/null; do :; done
pkill -KILL -P $! || true
wait $! || true
if [[ ! -e x.h5 ]]; then
  if diff -rq kept x.h5.parts | grep -v lock; then fail "shards were touched"; fi
  "$mpiexec" "$numproc" 2 "$palstudy" merge x.h5
fi
[[ $("$palstudy" digest x.h5) == "$digest" ]] || fail "after a kill: another digest"
echo "ranks merge alike"
