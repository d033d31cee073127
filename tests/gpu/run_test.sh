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
grep -q '^checks,FAILED,1,' "$folder/partly/steps.csv" || fail "the failed step is not named"
[[ $(grep -c ',done,0,' "$folder/partly/steps.csv") == 4 ]] || fail "the other steps are not done"

# With a GPU a kernel that reaches less than its goal is named. Programs that only print rates stand in for ours.
mkdir "$folder/slow"
# shellcheck disable=SC2016
printf '#!/bin/sh\necho "GPU 0: none"\n' > "$folder/slow/nvidia-smi"
# shellcheck disable=SC2016
printf '#!/bin/sh\ncase $1 in --list) echo "triad" ;; gemm-tc) echo "49.9 GFLOP/s, 9 GB/s" ;; sgemm) echo "60.1 GFLOP/s, 9 GB/s" ;; *) echo "100 GFLOP/s, 9 GB/s" ;; esac\n' > "$folder/slow/kernel-bench"
printf '#!/bin/sh\n' > "$folder/slow/palstudy"
chmod +x "$folder"/slow/*
PATH=$folder/slow:$PATH expect 1 "$run" --build "$folder/slow" -o "$folder/slow/figures"
grep -q '^compare-gemm-tc,FAILED,1,' "$folder/slow/figures/steps.csv" || fail "a kernel below its goal is not named"
grep -q '^compare-sgemm,done,0,' "$folder/slow/figures/steps.csv" || fail "a kernel above its goal fails"
