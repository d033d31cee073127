#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.sh [-o FOLDER] [--build FOLDER] [--quick] [--host]
# Everything that only a GPU can tell, by one command: builds, checks all kernels, measures, compares with cuBLAS, cuFFT
# and a plain copy, and leaves one folder (gpu-figures-HOST-TIME, or -o) with
#   summary.txt                       the outcome of each step and the comparison, to be read first
#   steps.csv                         step, outcome, exit code, seconds; what a step printed is in STEP.txt
#   comparison.csv, comparison.json   rates beside those of the vendor's libraries and of a copy
#   profile.h5                        the measured profile, and versions.txt, nvidia-smi.txt
# A step that fails does not keep the others from running. Ends with 0 if none failed, 1 if one did, 2 for a wrong
# command, and 77, without a folder, where there is no GPU. Some 20 minutes, as foreseen; --quick: 10, by shorter measurements.
# --build takes programs built before (build/release otherwise, and builds it). --host tries this script itself on a CPU
# core, at small sizes; its figures say nothing of any machine.
# shellcheck disable=SC2317  # step calls functions by name
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
usage() { sed -n '3,15s/^# //p' "${BASH_SOURCE[0]}" >&2; exit 2; }

out='' build='' quick='' backend=cuda
while (($#)); do
  case $1 in
    -o | --build) [[ $# -ge 2 ]] || usage; [[ $1 == -o ]] && out=$2 || build=$2; shift 2 ;;
    --quick) quick=--quick; shift ;;
    --host) backend=host; shift ;;
    *) usage ;;
  esac
done
if [[ $backend == cuda ]] && ! nvidia-smi -L 2>/dev/null | grep -q '^GPU '; then
  echo "no GPU here: nvidia-smi lists none. Run this where there is one; --host tries the script itself." >&2
  exit 77
fi
out=${out:-gpu-figures-$(hostname -s)-$(date -u +%Y%m%dT%H%M%SZ)}
[[ ! -e $out ]] || { echo "$out exists; give another -o" >&2; exit 2; }
mkdir -p "$out"
out=$(cd "$out" && pwd)
[[ -z $build ]] || build=$(cd "$build" && pwd)
cd "$root"

echo "step,outcome,exit_code,seconds" > "$out/steps.csv"
failed=0
step() { # name, command...
  local name=$1 rc=0 outcome="done" began=$SECONDS
  shift
  echo "== $name"
  "$@" > "$out/$name.txt" 2>&1 || rc=$?
  case $rc in
    0) ;;
    77) outcome="not run" ;;
    *) outcome=FAILED failed=1 ;;
  esac
  echo "$name,$outcome,$rc,$((SECONDS - began))" | tee -a "$out/steps.csv"
}

versions() {
  git -C "$root" describe --always --dirty 2>/dev/null || true
  date -u +%FT%TZ
  uname -srm
  "${CXX:-g++}" --version | head -1
  cmake --version | head -1
  if command -v nvcc > /dev/null; then nvcc --version | tail -2; else echo "no nvcc on PATH"; fi
}
nvidia() {
  nvidia-smi
  nvidia-smi -q
  nvidia-smi topo -m || true
}
build_all() { cmake --preset release && cmake --build --preset release --target palstudy kernel-bench; }

checks() { # each result against float64, on whichever backend
  local part=checks
  [[ $backend == cuda ]] || part=sizes
  tests/gpu/suite.sh "$bench" "$part"
}

measure() {
  local options=(--all)
  [[ -z $quick ]] || options+=("$quick")
  if [[ $backend == host ]]; then
    options=(--backend host --kernel triad --kernel sgemm --param sgemm.n=96 --quick --repeats 1)
  elif [[ -n $(params_here gemm-tc) ]]; then
    options+=(--param gemm-tc.type=fp16)
    ! "$bench" --list | grep -q '^gemm-tc-cublas ' || options+=(--param gemm-tc-cublas.type=fp16)
  fi
  "$program" measure -o "$out/profile.h5" "${options[@]}"
}

# kernel, its yardstick, column (1 GFLOP/s, 2 GB/s); fails on a GPU where the kernel reaches less than its goal
compare() {
  local kernel=$1 yardstick=$2 column=$3 unit=GFLOP/s size=() of_size=() value of
  [[ $column == 1 ]] || unit=GB/s
  if [[ $backend == host ]]; then
    mapfile -t size < <(small_size "$kernel")
    mapfile -t of_size < <(small_size "$yardstick")
  fi
  value=$(rate "$column" "$kernel" "${size[@]}") || return
  of=$(rate "$column" "$yardstick" "${of_size[@]}") || return
  awk -v k="$kernel" -v y="$yardstick" -v u="$unit" -v v="$value" -v o="$of" \
    'BEGIN { if (o <= 0) exit 1; printf "%s,%s,%s,%s,%s,%.4f\n", k, y, u, v, o, v / o }' >> "$out/comparison.csv" || return
  [[ $backend == host ]] || awk -v v="$value" -v o="$of" -v goal="$(goal "$kernel")" 'BEGIN {
    printf "%.1f %%; %.0f %% are asked for\n", 100 * v / o, 100 * goal
    exit v < goal * o
  }'
}
json() {
  awk -F, 'BEGIN { print "[" }
    NR > 1 { printf "%s  {\"kernel\": \"%s\", \"yardstick\": \"%s\", \"unit\": \"%s\", \"rate\": %s, \"yardstick_rate\": %s, \"share\": %s}", sep, $1, $2, $3, $4, $5, $6; sep = ",\n" }
    END { print "\n]" }' "$out/comparison.csv" > "$out/comparison.json"
}
table() { # of a file of CSV, columns under each other
  awk -F, '{ for (i = 1; i <= NF; ++i) { cell[NR, i] = $i; if (length($i) > width[i]) width[i] = length($i) } fields[NR] = NF }
    END { for (row = 1; row <= NR; ++row)
      for (i = 1; i <= fields[row]; ++i) printf "%-*s%s", i < fields[row] ? width[i] + 2 : 0, cell[row, i], i < fields[row] ? "" : "\n" }' "$1"
}
summary() {
  echo "Figures of $(hostname -s), $(date -u +%FT%TZ)"
  [[ $backend == cuda ]] || echo "A trial of the script on a CPU core (--host): no figures of any machine."
  echo
  table "$out/steps.csv"
  echo
  table "$out/comparison.csv"
}

step versions versions
[[ $backend == host ]] || step nvidia-smi nvidia
[[ -n $build ]] || step build build_all
build=${build:-$root/build/release}
program=$build/palstudy bench=$build/kernel-bench
# shellcheck source=tests/gpu/common.sh
. tests/gpu/common.sh
step checks checks
step measure measure
step verify "$program" verify "$out/profile.h5"
echo "kernel,yardstick,unit,rate,yardstick_rate,share" > "$out/comparison.csv"
step compare-triad compare triad link 2
if [[ $backend == cuda ]]; then
  step compare-sgemm compare sgemm sgemm-cublas 1
  step compare-gemm-tc compare gemm-tc gemm-tc-cublas 1
  step compare-fft3d compare fft3d fft3d-cufft 1
  step sanitizer tests/gpu/suite.sh "$bench" sanitizer
fi
json
summary | tee "$out/summary.txt"
echo "all of it is in $out"
exit "$failed"
