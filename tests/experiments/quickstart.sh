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
percent='-?[0-9.]+ %' interval="\\(95 % interval $percent to $percent\\)"
# README's two tables: the eight traces under six placements, then PAL's gains over both baselines.
promised "a row a trace" '^\S*sia[1-8]\S*( +[0-9.]+){7}$' 8
promised "PAL's published gains" '^pal +jct_mean_s +0[.](571|638) +(42[.]9|36[.]2) % ' 2
# Its third: three kinds of clusters, each with an interval.
promised "clusters with and without a slow GPU" "^cluster.source = .*pal against packed-sticky, jct_mean_s: gain $percent $interval" 3
# A large machine: a gain for each number of partitions, and for each placement what partitions cost.
promised "a gain for each number of partitions" "^cluster.partitions = (1|16): pal against packed-sticky, jct_mean_s: gain $percent $interval" 2
promised "what partitions cost" "^policy.placement = .*cluster.partitions = 16 against 1, jct_mean_s: gain $percent $interval" 2
promised "no run without a claim" 'make no claim' 0
# Studies run as they ship.
if grep -n -- '--set' "$scratch/err"; then
  echo "FAILED: the quick start changes a study with --set" >&2
  failed=1
fi
[ -s "$scratch/report/index.html" ] || {
  echo "FAILED: there is no page" >&2
  failed=1
}
exit "$failed"
