#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# kills.sh PALSTUDY MPIEXEC NUMPROC_FLAG LIBRARY [all]
# A small campaign with its merge, killed at each call that changes a file: before it, and within each write after
# one byte, half of them, and all but one. Every time it is resumed with another number of ranks, and ends as the
# archive of a campaign that nothing disturbed; no run that had ended is done again, and no file is left over. The
# archive is written in many small pieces: those are cut within, and resumed with other ranks, now and then only;
# with `all` each time.
set -euo pipefail
palstudy=$1 mpiexec=$2 numproc=$3 faults=$4 all=${5:-}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# shellcheck source=tests/faults/common.sh
. "$(dirname "$0")/common.sh"

# Killed at a call of one rank, and resumed.
kill_at() { # ranks, rank, call, part of the write that is done, ranks that resume
  local rc=0
  out=$folder/$1-$3-$4
  mkdir "$out"
  harmed "$1" FAULT_RANK="$2" FAULT_AT="$3" FAULT_PART="$4" || rc=$?
  if [[ $rc == 0 ]]; then  # it made fewer calls this time
    holds
  else
    [[ $rc == 137 ]] || fail "exit code $rc of a campaign that was killed"
    resumes "$5" "$(ended)" exactly
    echo "$1 ranks, call $3 of rank $2, $4: $(ended) of $runs runs had ended"
  fi
  rm -r "$out"
}

# All kills of the calls in a log, two at a time.
kill_at_each() { # ranks, rank, ranks that resume, log
  local call name path part others running=0
  while read -r call name _ path; do
    others=$3
    [[ -n $all || $path != *.part || $((call % 16)) == 0 ]] || others=$1
    for part in none one half last; do
      [[ $part == none || ( $name == *write* && ( $others == "$3" || $part == half ) ) ]] || continue
      kill_at "$1" "$2" "$call" "$part" "$others" &
      running=$((running + 1))
      [[ $running -lt 2 ]] || { wait -n || exit 1; running=$((running - 1)); }
    done
  done < "$4"
  wait -n || [[ $? == 127 ]]
}

make_study 3 20
undisturbed
out=$folder/counted
mkdir "$out"
harmed 1 FAULT_AT=0 || fail "the campaign whose calls are counted"
for call in mkdir open write pwrite rename fsync fdatasync remove; do
  grep -q "^[0-9]* $call " "$out/log" || fail "no $call was seen: do the calls have other names now?"
done
[[ $(ended) == 3 ]] || fail "$(ended) frames written by 3 runs"
kill_at_each 1 "" 2 "$out/log"

# SIGTERM while the archive is written: at its first call it is given up, with a word, a status that says what is to be
# done, and nothing of it left; at its last one it is there.
writing=$(awk '$4 ~ /x[.]h5[.]part$/ { print $1 }' "$out/log")
for call in $(head -1 <<< "$writing") $(tail -1 <<< "$writing"); do
  out=$folder/term-$call rc=0
  mkdir "$out"
  harmed 1 FAULT_AT="$call" FAULT_DO=term || rc=$?
  if [[ $call == $(tail -1 <<< "$writing") ]]; then
    [[ $rc == 0 ]] || fail "exit code $rc after SIGTERM at the end"
  else
    [[ $rc == 4 ]] || fail "exit code $rc after SIGTERM, and 4 is due"
    grep -q "palstudy merge writes it" "$out/err.txt" || fail "no word of what to do"
    "$palstudy" status "$out/x.h5" | grep -q "^next: palstudy merge" || fail "a status that does not say what to do"
    [[ ! -e $out/x.h5 && ! -e $out/x.h5.part ]] || fail "an archive in part"
    "$palstudy" merge "$out/x.h5" 2> "$out/err-merge.txt" || fail "the merge"
  fi
  holds
done
