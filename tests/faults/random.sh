#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# random.sh PALSTUDY MPIEXEC NUMPROC_FLAG LIBRARY TIMES SEED
# A campaign of two or three ranks is killed at random moments, from the end of its first run until it is merged: one of
# its processes, all of them, or mpirun alone. Resumed with another number of ranks it ends as the archive of one that
# nothing disturbed, no run that had ended is done again, and no file is left over.
set -euo pipefail
palstudy=$1 mpiexec=$2 numproc=$3 faults=$4 times=$5
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# shellcheck source=tests/faults/common.sh
. "$(dirname "$0")/common.sh"
RANDOM=$6
pick() { # of 0..N-1, into `picked`; not in a subshell, which would draw the same again and again
  picked=$((RANDOM % $1))
}

make_study 16 400
undisturbed

# How many bytes the shards hold.
shards() {
  find "$out/x.h5.parts" -name '*.shard' -printf '%s\n' 2> /dev/null | awk '{ sum += $1 } END { print sum + 0 }'
}

# How large they are at the end: of a campaign that is stopped ahead of its merge, which a slice is.
out=$folder/weighed
mkdir "$out"
"$palstudy" run "$study" -o "$out/x.h5" --slice 1/1 2> "$out/err.txt" || fail "the campaign that is weighed"
whole=$(shards)

# Until the shards hold so many bytes, or the campaign has ended.
grown_to() {
  until [[ $(shards) -ge $1 ]] || ! kill -0 "$launcher" 2> /dev/null; do sleep 0.01; done
}

for ((i = 0; i < times; ++i)); do
  out=$folder/$i
  mkdir "$out"
  : > "$out/pids"
  pick 2 && ranks=$((2 + picked))
  pick 3 && what=$picked
  pick "$ranks" && rank=$picked
  pick 100 && at=$((whole * (picked + 1) / 100))
  pick 3 && others=$((picked + 1 == ranks ? 4 : picked + 1))
  # shellcheck disable=SC2016
  "$mpiexec" "$numproc" "$ranks" bash -c 'echo $$ ${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}} >> "$0"; exec "$@"' \
    "$out/pids" "$palstudy" run "$study" -o "$out/x.h5" < /dev/null > "$out/out.txt" 2> "$out/err.txt" &
  launcher=$!
  grown_to 1
  grown_to "$at"
  case $what in
    0) victims=$(awk -v rank="$rank" '$2 == rank { print $1 }' "$out/pids") victim="rank $rank" ;;
    1) victims=$(awk '{ print $1 }' "$out/pids") victim="all ranks" ;;
    2) victims=$launcher victim=mpirun ;;
  esac
  # shellcheck disable=SC2086
  kill -KILL $victims 2> /dev/null || true  # who has ended cannot be killed
  wait "$launcher" 2> /dev/null && ended_well=yes || ended_well=no
  ended=$("$palstudy" status "$out/x.h5" 2> /dev/null | sed -n "s/^.*: \([0-9]*\) of $runs runs done.*/\1/p")
  if [[ $ended_well == yes || ( -e $out/x.h5 && ! -e $out/x.h5.parts ) ]]; then
    holds
  else
    resumes "$others" "${ended:-0}" or-more
  fi
  echo "$i: $ranks ranks, $victim killed at $at of $whole bytes, ${ended:-0} of $runs runs ended; resumed by $others"
  rm -r "$out"
done
