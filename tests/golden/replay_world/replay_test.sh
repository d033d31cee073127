#!/bin/sh
# SPDX-License-Identifier: MIT
# replay_test.sh REPLAY FAMILY FOLDER [FILE[=SED]...]: FOLDER is replayed equal; and where the last digit of the last row of any
# FILE below it is changed, or what a command of sed changes, the replay fails.
set -eu
replay=$1 family=$2 folder=$3
shift 3
"$replay" "$family" "$folder"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for change in "$@"; do
  file=${change%%=*}
  # The last digit of the last line becomes another one.
  sed='$ { s/9\([^0-9]*\)$/8\1/; t; s/[0-8]\([^0-9]*\)$/9\1/ }'
  [ "$file" = "$change" ] || sed=${change#*=}
  rm -rf "$work/folder"
  cp -r "$folder" "$work/folder"
  chmod -R u+w "$work/folder"
  sed "$sed" "$folder/$file" >"$work/folder/$file"
  cmp -s "$folder/$file" "$work/folder/$file" && { echo "$file: nothing was changed" >&2; exit 1; }
  if "$replay" "$family" "$work/folder" >"$work/out" 2>"$work/differences"; then
    echo "a changed row of $file was not found" >&2
    exit 1
  fi
done
