#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs one recorded study through the program and compares, row by row, with what the published simulator did.
# usage: golden.sh PALSTUDY FOLDER WORKDIR
set -euo pipefail
palstudy=$1
folder=$2
work=$3
rm -rf "$work"
mkdir -p "$work"
"$palstudy" run "$folder/study.toml" -o "$work/out.h5" 2>"$work/log" || { cat "$work/log"; exit 1; }
"$palstudy" export "$work/out.h5" --table events | cut -d, -f2- >"$work/events.csv"
diff "$folder/events.csv" "$work/events.csv" | head -20
cmp "$folder/events.csv" "$work/events.csv"

# job,submit_s,finish_s,jct_s of the measured jobs, picked by the names in the header.
"$palstudy" export "$work/out.h5" --table jobs |
  awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; print "job,submit_s,finish_s,jct_s"; next }
           $at["measured"] == 1 { print $at["job"] "," $at["submit_s"] "," $at["finish_s"] "," $at["jct_s"] }' \
    >"$work/jobs.csv"
diff "$folder/jobs.csv" "$work/jobs.csv" | head -20
cmp "$folder/jobs.csv" "$work/jobs.csv"
echo "$(($(wc -l <"$work/events.csv") - 1)) events and $(($(wc -l <"$work/jobs.csv") - 1)) jobs are the same"
