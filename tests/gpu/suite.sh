#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# suite.sh KERNEL_BENCH sizes|checks|rates|sanitizer|telemetry
# The kernels on the GPU at hand: every result against float64; rates against the vendor's libraries and a plain copy of
# the same device in the same run; compute-sanitizer; what the telemetry costs. Ends with 77 where there is no GPU, or no
# compute-sanitizer, and says so.
set -euo pipefail
bench=$1 part=$2 backend=cuda
skip() { echo "not run: $1"; exit 77; }
fail() { echo "$1" >&2; exit 1; }

# shellcheck source=tests/gpu/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

at_least() { # name, value, its yardstick, the share wanted
  awk -v name="$1" -v value="$2" -v of="$3" -v share="$4" 'BEGIN {
    printf "%s: %.4g, %.1f %% of %.4g; %.0f %% are asked for\n", name, value, 100 * value / of, of, 100 * share
    exit !(of > 0 && value >= share * of)
  }' || fail "too slow"
}
if [[ $part == sizes ]]; then # on the host, so that this can be seen without a GPU
  for kernel in $(ours); do
    "$bench" "$kernel" --backend host --batches 1 --batch-s 1e-6 --param "$(small_size "$kernel")" || fail "$kernel"
  done
  exit 0
fi

refusal=$("$bench" triad --backend cuda --batches 1 --param n=1048576 2>&1) || {
  [[ $refusal == *"no GPU"* || $refusal == *"has no CUDA"* ]] && skip "$refusal"
  fail "$refusal"
}
mapfile -t kernels < <("$bench" --list | awk '/^[^ ]/ { print $1 }')
((${#kernels[@]} >= 12)) || fail "only ${#kernels[@]} kernels are listed"

case $part in
  checks)
    for kernel in "${kernels[@]}"; do
      echo "== $kernel"
      mapfile -t here < <(params_here "$kernel")
      "$bench" "$kernel" --backend cuda --batches 3 "${here[@]}" || fail "$kernel failed"
    done
    ;;
  rates)
    at_least "triad, GB/s, against a copy in the device" "$(rate 2 triad)" "$(rate 2 link)" 0.8
    at_least "sgemm, GFLOP/s, against cuBLAS" "$(rate 1 sgemm)" "$(rate 1 sgemm-cublas)" 0.6
    at_least "gemm-tc, GFLOP/s, against cuBLAS" "$(rate 1 gemm-tc)" "$(rate 1 gemm-tc-cublas)" 0.5
    ;;
  sanitizer)
    command -v compute-sanitizer >/dev/null || skip "compute-sanitizer is not on PATH"
    for kernel in $(ours); do
      mapfile -t here < <(params_here "$kernel")
      for tool in memcheck racecheck synccheck initcheck; do
        compute-sanitizer --tool $tool --error-exitcode 9 "$bench" "$kernel" --backend cuda --batches 1 --batch-s 1e-6 \
          --param "$(small_size "$kernel")" "${here[@]}" || fail "$kernel: $tool"
      done
    done
    ;;
  telemetry)
    line=$("$bench" sgemm --backend cuda --batches 20 --batch-s 0.05 --telemetry-cost 31 | tail -1)
    echo "$line"
    # The whole interval, so that a noisy run fails rather than passes.
    [[ $line =~ interval\ ([-+0-9.]+)\ to\ ([-+0-9.]+) ]] || fail "no interval: $line"
    awk -v low="${BASH_REMATCH[1]}" -v high="${BASH_REMATCH[2]}" 'BEGIN { exit !(low > -0.2 && high < 0.2) }' ||
      fail "telemetry changes the median by more than 0.2 %, or that is unknown"
    ;;
  *) fail "usage: suite.sh KERNEL_BENCH sizes|checks|rates|sanitizer|telemetry" ;;
esac
