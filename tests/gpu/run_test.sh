#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run_test.sh SOURCE BUILD: what of run.sh can be tested without a GPU.
set -euo pipefail
run=$1/tests/gpu/run.sh build=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "$*"; tail -n 50 "$folder"/*.txt "$folder"/*/*.txt || true; exit 1; }
expect() { # exit code, command
  local want=$1 rc=0
  shift
  "$@" > "$folder/log.txt" 2>&1 || rc=$?
  [[ $rc == "$want" ]] || fail "exit code $rc instead of $want: $*"
}
# Where nvidia-smi lists no GPU it says so, ends with a code of its own, and leaves nothing. One that lists none is put
# first on PATH, so that this holds where there are GPUs, too.
mkdir "$folder/none"
printf '#!/bin/sh\nexit 9\n' > "$folder/none/nvidia-smi"
chmod +x "$folder/none/nvidia-smi"
PATH=$folder/none:$PATH expect 77 "$run" -o "$folder/gpu"
grep -q "no GPU" "$folder/log.txt" || fail "it does not say that there is no GPU"
[[ ! -e $folder/gpu ]] || fail "a folder of no figures"
expect 2 "$run" --no-such-option

# On a core: every step is done, the figures are there, and the share is that of the two rates.
expect 0 "$run" --host --build "$build" -o "$folder/host"
for name in summary.txt steps.csv comparison.csv comparison.json profile.h5 versions.txt; do
  [[ -s $folder/host/$name ]] || fail "$name is missing"
done
[[ $(grep -c ',done,0,' "$folder/host/steps.csv") == 5 ]] || fail "not all five steps are done"
awk -F, 'NR == 2 { found = $1 == "triad" && $4 > 0 && $6 > 0.999 * $4 / $5 - 1e-4 && $6 < 1.001 * $4 / $5 + 1e-4 }
  END { exit !(found && NR == 2) }' "$folder/host/comparison.csv" || fail "the comparison is wrong"
python3 -c 'import json, sys; rows = json.load(open(sys.argv[1])); assert rows[0]["kernel"] == "triad" and rows[0]["share"] > 0' \
  "$folder/host/comparison.json" || fail "the JSON is wrong"
expect 2 "$run" --host --build "$build" -o "$folder/host"

# A step that fails is named, the others run, and the end says so.
mkdir "$folder/broken"
ln -s "$build/palstudy" "$folder/broken/palstudy"
# shellcheck disable=SC2016
printf '#!/bin/sh\n[ "$1" != fft3d ] || exit 5\nexec %s/kernel-bench "$@"\n' "$build" > "$folder/broken/kernel-bench"
chmod +x "$folder/broken/kernel-bench"
expect 1 "$run" --host --build "$folder/broken" -o "$folder/partly"
grep -q '^checks,FAILED,5,' "$folder/partly/steps.csv" || fail "the failed step is not named"
[[ $(grep -c ',done,0,' "$folder/partly/steps.csv") == 4 ]] || fail "the other steps are not done"
