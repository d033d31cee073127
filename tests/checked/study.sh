#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# study.sh CHECKED PALSTUDY STUDY: the study runs through in the program whose engine checks itself, uses what it is
# there for, and has the same digest as in the program that is used.
set -euo pipefail
checked=$1 palstudy=$2 study=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$checked" run "$study" -o "$folder/checked.h5" 2>"$folder/log" || { cat "$folder/log"; exit 1; }
"$palstudy" run "$study" -o "$folder/used.h5" 2>"$folder/log" || { cat "$folder/log"; exit 1; }
checked_digest=$("$palstudy" digest "$folder/checked.h5")
used_digest=$("$palstudy" digest "$folder/used.h5")
echo "checked $checked_digest, used $used_digest"
[[ $checked_digest == "$used_digest" ]]

# rows TABLE COLUMN: in how many rows of a table the column is above 0.
rows() {
  "$palstudy" export "$folder/checked.h5" --table "$1" |
    awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next } $at > 0 { n++ } END { print n + 0 }'
}
for used in failures:attempt jobs:preemptions delays:gang_s delays:fair_share_s; do
  count=$(rows "${used%:*}" "${used#*:}")
  echo "$used above 0 in $count rows"
  [[ $count -gt 0 ]]
done
