#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# quickstart.sh REPOSITORY: the steps of the quick start as they stand there, with the program that is built already and
# results elsewhere: nothing is installed, nothing is built. Its tables are those that README promises.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# shellcheck source=quickstart.sh
. "$1/quickstart.sh"
setup_packages() { :; }
build() { :; }
palstudy=$PALSTUDY_PROGRAM folder=$(dirname "$PALSTUDY_PROGRAM") results=$scratch

main > "$scratch/out" 2> "$scratch/err" || {
  cat "$scratch/out" "$scratch/err"
  echo "FAILED: the quick start ends with $?" >&2
  exit 1
}
cat "$scratch/out"
failed=0
# promised WHAT PATTERN COUNT: so many lines of the output are such.
promised() {
  local found
  found=$(grep -cE -- "$2" "$scratch/out" || true)
  [ "$found" -eq "$3" ] || {
    echo "FAILED: $1: $3 lines match $2, not $found" >&2
    failed=1
  }
}
change='(~|[-+]?[0-9.]+ %) +[-+]?[0-9.]+ to [-+]?[0-9.]+ % +[0-9]+ of [0-9]+$'
# README's: PAL's changes against both baselines.
promised "PAL's published gains" '^pal +[0-9.]+ h +-42[.]9 % +8 of 8 +-36[.]2 % +8 of 8$' 1
# Three kinds of clusters, each with an interval.
promised "clusters with and without a slow GPU" "^(bootstrap|measured) +(<=|>) 2 +pal +packed-sticky +$change" 3
# A large machine: a change for each number of partitions, and for each placement what partitions cost.
promised "a change for each number of partitions" "^(1|16) +pal +packed-sticky +$change" 2
promised "what partitions cost" "^(pal|packed-sticky) +16 +1 +$change" 2
promised "no run without a claim" '; [0-9,]+ runs? left out' 0
# Studies run as they ship.
if grep -n -- '--set' "$scratch/err"; then
  echo "FAILED: the quick start changes a study with --set" >&2
  failed=1
fi
[ -s "$scratch/report/index.html" ] || {
  echo "FAILED: there is no page" >&2
  failed=1
}
grep -qF "the page of figures is $scratch/report/index.html" "$scratch/err" || {
  echo "FAILED: the closing words do not name the page" >&2
  failed=1
}
exit "$failed"
