#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# checkpoints.sh PALSTUDY SOURCE MPIEXEC NUMPROC_FLAG
# One run of several partitions that is stopped in its middle by SIGTERM to its ranks, by SIGUSR1 to mpirun and by a time
# limit, each time going on with another number of ranks, has the digest of the run that never was; and so has one whose
# checkpoints are never used, or are damaged.
set -euo pipefail
palstudy=$1 source=$2 mpiexec=$3 numproc=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "$*"; cat "$folder"/*.txt; exit 1; }
same() { [[ $("$palstudy" digest "$1") == "$want" ]] || fail "$1: another digest"; }
ends_with() { # exit code, then the command
  local want_rc=$1 rc=0
  shift
  "$@" > "$folder/out.txt" 2> "$folder/err.txt" || rc=$?
  [[ $rc == "$want_rc" ]] || fail "exit code $rc instead of $want_rc: $*"
}
says() { grep -q "$1" "$folder/err.txt" || fail "\"$1\" was not said"; }

# Some seconds of work, most of it with long queues. Checkpoints are made so often that a run at hand has one at once.
study=$folder/long.toml
sed -e 's/^jobs = .*/jobs = { first = 0, last = 2999 }/' -e 's/^end_s.*/end_s = 400000/' \
  -e 's/^order = .*/order = "srtf"\nplacement = "pal"/' "$source/tests/mpi/partitions.toml" > "$study"
often=(--set engine.checkpoint_s=0.02)

"$palstudy" run "$study" -o "$folder/whole.h5" --set engine.checkpoint_s=inf 2> "$folder/err.txt"
want=$("$palstudy" digest "$folder/whole.h5")

# Made and never used: the same digest, and none is left.
ends_with 0 "$mpiexec" "$numproc" 2 "$palstudy" run "$study" -o "$folder/unused.h5" --team 2 "${often[@]}"
says "checkpoint at"
same "$folder/unused.h5"
[[ ! -e $folder/unused.h5.parts ]] || fail "a checkpoint is left"

out=$folder/stopped.h5
time_of() { "$palstudy" status "$out" 2> /dev/null | sed -n 's/.*checkpoint at \([0-9.]*\) s .*/\1/p'; }
begin() { # ranks, further options: a team in the background, whose processes are written down
  local ranks=$1
  shift
  : > "$folder/pids"
  before=$(time_of || true)
  # shellcheck disable=SC2016
  "$mpiexec" "$numproc" "$ranks" bash -c 'echo $$ >> "$0"; exec "$@"' "$folder/pids" "$palstudy" run "$study" -o "$out" \
    --team "$ranks" --resume "${often[@]}" "$@" > "$folder/out.txt" 2> "$folder/err.txt" &
  launcher=$!
}
until_further() { # waits for a checkpoint beyond the one before; so the run is in its midst
  while kill -0 $launcher 2> /dev/null; do
    local now
    now=$(time_of || true)
    [[ -n $now && $now != "$before" ]] && return
    sleep 0.02
  done
  fail "the run ended before it could be stopped"
}
ends_stopped() {
  local rc=0
  wait $launcher || rc=$?
  [[ $rc == 4 ]] || fail "exit code $rc of a run that was stopped"
  [[ -n $(time_of) ]] || fail "a stopped run without a checkpoint"
  [[ ! -e $out ]] || fail "an archive of a run that was stopped"
}

begin 3
until_further
xargs kill -TERM < "$folder/pids"
ends_stopped
says "with checkpoints of 1 more"

# Not without a word of what is to become of it.
ends_with 2 "$palstudy" run "$study" -o "$out"
says "checkpoints of an unfinished campaign"
# Nor may another study go on in their place.
ends_with 2 "$palstudy" run "$study" -o "$out" --resume --set engine.migration_s=7
says "the checkpoints are of another study: engine.migration_s was"

begin 2
until_further
kill -USR1 $launcher
ends_stopped
says "goes on from its checkpoint at"

ends_with 4 "$palstudy" run "$study" -o "$out" --resume --time-limit 0.1 "${often[@]}"
cp -r "$out.parts" "$folder/kept"

# USR2 asks for a checkpoint and stops nobody. What the run before has said is no sign that this one is under way.
: > "$folder/pids"
: > "$folder/err.txt"
# shellcheck disable=SC2016
"$mpiexec" "$numproc" 4 bash -c 'echo $$ >> "$0"; exec "$@"' "$folder/pids" "$palstudy" run "$study" -o "$out" --team 4 \
  --resume --set engine.checkpoint_s=inf 2> "$folder/err.txt" &
launcher=$!
until grep -q "goes on from" "$folder/err.txt" || ! kill -0 $launcher 2> /dev/null; do sleep 0.02; done
kill -USR2 $launcher
wait $launcher || fail "USR2 stopped a run"
says "goes on from its checkpoint at"
says "checkpoint at .* in"
same "$out"
[[ ! -e $out.parts ]] || fail "a checkpoint is left"
"$palstudy" verify "$out" > /dev/null

# Damaged, cut off, empty: found and said, and the run begins again.
for harm in flip cut empty; do
  damaged=$folder/$harm.h5
  cp -r "$folder/kept" "$damaged.parts"
  file=$(echo "$damaged".parts/*.ckpt)
  size=$(stat -c %s "$file")
  case $harm in
    flip) printf '\377' | dd of="$file" bs=1 seek=$((size / 2)) conv=notrunc status=none ;;
    cut) truncate -s $((size - 1)) "$file" ;;
    empty) truncate -s 0 "$file" ;;
  esac
  ends_with 0 "$mpiexec" "$numproc" 2 "$palstudy" run "$study" -o "$damaged" --team 2 --resume
  says "starts again"
  same "$damaged"
done

# --force starts again.
cp -r "$folder/kept" "$folder/forced.h5.parts"
ends_with 0 "$palstudy" run "$study" -o "$folder/forced.h5" --force
! grep -q "goes on from" "$folder/err.txt" || fail "--force went on from a checkpoint"
same "$folder/forced.h5"

# With attempts that fail, stopped in the midst of many.
{ cat "$study"; printf '\n[failures]\nmodel = "philly"\nfaults = "gpu"\n'; } > "$folder/failing.toml"
study=$folder/failing.toml out=$folder/failing.h5
"$palstudy" run "$study" -o "$folder/failing-whole.h5" 2> "$folder/err.txt"
want=$("$palstudy" digest "$folder/failing-whole.h5")
begin 3
until_further
xargs kill -TERM < "$folder/pids"
ends_stopped
ends_with 0 "$mpiexec" "$numproc" 2 "$palstudy" run "$study" -o "$out" --team 2 --resume
says "goes on from its checkpoint at"
same "$out"

# Two teams of two and runs without end (each turn of LAS costs longer than it lasts): SIGTERM to one leader stops both.
cat > "$folder/endless.toml" <<'END'
[cluster]
gpus = 64
partitions = 2
source = "bootstrap"
[workload]
generator = "synergy"
jobs_per_h = 400
[measure]
jobs = { first = 0, last = 399 }
[engine]
round_s = 300
migration_s = 600
[policy]
order = "las"
placement = "random-nonsticky"
[axes]
seed = [1, 2]
END
study=$folder/endless.toml out=$folder/endless.h5
: > "$folder/pids"
# shellcheck disable=SC2016
"$mpiexec" "$numproc" 4 bash -c 'echo $$ ${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}} >> "$0"; exec "$@"' "$folder/pids" \
  "$palstudy" run "$study" -o "$out" --team 2 "${often[@]}" > "$folder/out.txt" 2> "$folder/err.txt" &
launcher=$!
until [[ $("$palstudy" status "$out" 2> /dev/null | grep -c checkpoint) == 2 ]]; do
  kill -0 $launcher || fail "the endless run ended"
  sleep 0.02
done
kill -TERM "$(awk '$2 == 2 { print $1 }' "$folder/pids")"
ends_stopped
says "with checkpoints of 2 more"
