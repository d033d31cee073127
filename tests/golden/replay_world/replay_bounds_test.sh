#!/bin/sh
# SPDX-License-Identifier: MIT
# replay_bounds_test.sh REPLAY FOLDER: the recorded runs of Slurm below FOLDER are replayed within the family's bounds; a
# changed row of micro-2's passes lowers its count by one, and more changed rows than the bounds allow fail.
set -eu
replay=$1 folder=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$replay" slurm "$folder" 2>/dev/null
cp -r "$folder/micro-2" "$work/changed"
chmod -R u+w "$work/changed"

counted() { # the equal rows of the passes
  "$replay" slurm "$work/changed" 2>/dev/null | sed -n 's#^\([0-9]*\)/[0-9]* .*passes.csv.gz$#\1#p'
}
changed() { # SED
  zcat "$folder/micro-2/passes.csv.gz" | sed "$1" | gzip >"$work/changed/passes.csv.gz"
}
before=$(counted)
changed '0,/backfill,[0-9]*,plan/ s/,plan,\([0-9]*\)\./,plan,1\1./'
[ "$(counted)" -eq $((before - 1)) ] || { echo "a changed row did not lower the count of $before by one" >&2; exit 1; }
changed '/backfill,[0-9]*,plan/ s/,plan,\([0-9]*\)\./,plan,1\1./'
if "$replay" slurm "$work/changed" >/dev/null 2>&1; then
  echo "many changed rows are within the bounds" >&2
  exit 1
fi
