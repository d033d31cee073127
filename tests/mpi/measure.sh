#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# measure.sh PALSTUDY SOURCE MPIEXEC NUMPROC_FLAG
# A measurement that was killed or stopped goes on when the command is repeated: what was finished is kept, what was not
# is measured, other ranks may join; nothing is measured twice.
set -euo pipefail
palstudy=$1 mpiexec=$3 numproc=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "$*"; for log in "$folder"/*.txt; do echo "== $log"; cat "$log"; done; exit 1; }
small=(--backend host --kernel sgemm --kernel triad --param sgemm.n=96 --param triad.n=16384 --repeats 3 --batch-s 0.002
  --warm-up-s 0.04 --repeat-s 0.05)
expect() { # exit code, then the command
  local want=$1 rc=0
  shift
  "$@" > "$folder/screen.txt" 2> "$folder/last.txt" || rc=$?
  [[ $rc == "$want" ]] || fail "exit code $rc instead of $want: $*"
}
# Repeats of a kernel on the screen of the last measurement, those done again included.
repeats_of() { awk -v kernel="$1" '$1 == kernel { print $(NF - 4) }' "$folder/screen.txt"; }
kept() { sed -n 's/.*goes on with session .*: \([0-9]*\) repeats are there/\1/p' "$folder/last.txt"; }
# A launcher that is killed cannot end its ranks, which would go on to the end: they go with it.
kill_with_children() { # signal, process
  local children=()
  [[ $1 != KILL ]] || mapfile -t children < <(ps -o pid= --ppid "$2" | tr -d ' ')
  kill "-$1" "$2" "${children[@]}" 2> /dev/null || true
}
# Runs a command until its log has a line, then kills it with a signal; its exit code is in $rc.
kill_at() { # line, signal, command (a program, not a function: its own process has to get the signal)
  local line=$1 signal=$2 pid
  shift 2
  mkfifo "$folder/fifo"
  "$@" 2> "$folder/fifo" &
  pid=$!
  while read -r said; do
    echo "$said" >> "$folder/killed.txt"
    [[ $said != *"$line"* ]] || kill_with_children "$signal" $pid
  done < "$folder/fifo"
  rc=0
  wait $pid 2> /dev/null || rc=$?
  rm "$folder/fifo"
}
on() { # ranks, output, further options
  local ranks=$1 output=$2
  shift 2
  "$mpiexec" "$numproc" "$ranks" "$palstudy" measure -o "$folder/$output" "${small[@]}" "$@"
}

# Undisturbed: 4 ranks x 3 repeats of either kernel, and nothing but the profile is left.
expect 0 on 4 whole.h5 --hosts-of 2
[[ $(repeats_of sgemm) -ge 12 && $(repeats_of triad) -ge 12 ]] || fail "repeats are missing"
[[ ! -e $folder/whole.h5.parts ]] || fail "shards beside a profile"
"$palstudy" verify "$folder/whole.h5" > "$folder/verify.txt" || fail "the profile does not verify"

# Not a number is no time: a measurement of it would never end.
for option in --batch-s --repeat-s --warm-up-s --telemetry-hz --time-limit; do
  expect 2 on 1 nan.h5 $option nan
  [[ ! -e $folder/nan.h5.parts ]] || fail "$option nan left something"
done

# An existing profile is refused, and replaced with --force; a refusal leaves it as it was.
cp "$folder/whole.h5" "$folder/copy.h5"
expect 2 on 2 whole.h5
cmp -s "$folder/whole.h5" "$folder/copy.h5" || fail "a refusal changed the profile"
[[ ! -e $folder/whole.h5.parts ]] || fail "a refusal left something"
expect 0 on 1 whole.h5 --force

# Killed in its second repeat: the ranks have finished at least the first of both kernels. Another command is refused
# and changes nothing; the same one, with a rank more, goes on in the same session.
kill_at "repeat 2 of 3" KILL "$mpiexec" "$numproc" 3 "$palstudy" measure -o "$folder/killed.h5" "${small[@]}"
[[ ! -e $folder/killed.h5 ]] || fail "a profile of a killed measurement"
session=$(sed -n 's/.*"session": "\(.*\)",/\1/p' "$folder/killed.h5.parts/measure.json")
expect 2 on 3 killed.h5 --seed 7
grep -q 'seed = 1' "$folder/last.txt" || fail "the refusal does not say what differs"
expect 0 on 4 killed.h5
grep -q "goes on with session $session" "$folder/last.txt" || fail "another session"
[[ $(kept) -ge 6 ]] || fail "what was finished was not kept"
[[ $(repeats_of sgemm) -ge 12 && $(repeats_of triad) -ge 12 ]] || fail "repeats are missing after the kill"
# All of 3 ranks x 2 kernels x 3 repeats were there or are new, none twice: at most 4 ranks x (6 + 2 done again).
[[ $(($(repeats_of sgemm) + $(repeats_of triad))) -le 32 ]] || fail "repeats were measured twice"
[[ ! -e $folder/killed.h5.parts ]] || fail "shards beside a profile"
"$palstudy" verify "$folder/killed.h5" > "$folder/verify.txt" || fail "the profile does not verify"

# SIGTERM stops between two repeats, with 4; without a launcher.
kill_at "repeat 1 of 3" TERM "$palstudy" measure -o "$folder/term.h5" "${small[@]}"
[[ $rc == 4 ]] || fail "exit code $rc after SIGTERM"
[[ ! -e $folder/term.h5 ]] || fail "a profile of a stopped measurement"
expect 0 "$palstudy" measure -o "$folder/term.h5" "${small[@]}"
[[ $(kept) -ge 1 ]] || fail "what was finished before SIGTERM was not kept"

# A time limit that is over at once stops before the first repeat and leaves nothing.
expect 4 on 2 limit.h5 --time-limit 0.001
[[ ! -e $folder/limit.h5.parts && ! -e $folder/limit.h5 ]] || fail "something is left of nothing"

# The disk of one rank is full (a file-size limit stands for it): all end, with 3 and a word from that rank, and what was
# finished is kept.
# shellcheck disable=SC2016
expect 3 "$mpiexec" "$numproc" 3 bash -c '[[ ${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}} != 2 ]] || ulimit -f 1; exec "$@"' \
  bash "$palstudy" measure -o "$folder/full.h5" "${small[@]}"
grep -q "^palstudy: rank 2: " "$folder/last.txt" || fail "rank 2 did not say what it was"
[[ ! -e $folder/full.h5 ]] || fail "a profile in spite of a full disk"
expect 0 on 3 full.h5
[[ $(kept) -ge 3 ]] || fail "what was finished before the disk was full was not kept"

# Links and sums between ranks that pose as two hosts, alone: both levels, and it verifies.
expect 0 "$mpiexec" "$numproc" 4 "$palstudy" measure -o "$folder/links.h5" --backend host --hosts-of 2 --kernel link --kernel allreduce
"$palstudy" verify "$folder/links.h5" > "$folder/verify.txt" || fail "the profile of links does not verify"

# Planted slowness needs cores; a bad plant file is refused on all ranks alike, with its place.
printf 'rank,factor\n5,2\n' > "$folder/plant.csv"
expect 3 on 2 plant.h5 --plant "$folder/plant.csv"
grep -q 'plant.csv:2:1' "$folder/last.txt" || fail "the place in the plant file is not told"
[[ ! -e $folder/plant.h5.parts ]] || fail "a refusal left something"
