#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# suite.sh KERNEL_BENCH sizes|checks|rates|sanitizer
# The kernels on the GPU at hand: every result against float64; rates against the vendor's libraries and a plain copy of
# the same device in the same run; compute-sanitizer. Ends with 77 where there is no GPU, or no
# compute-sanitizer, and says so.
set -euo pipefail
bench=$1 part=$2 backend=cuda
skip() { echo "not run: $1"; exit 77; }
fail() { echo "$1" >&2; exit 1; }

# shellcheck source=tests/gpu/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

at_least() { # kernel, unit, its yardstick, column of `rate`
  awk -v name="$1, $2, against $3" -v value="$(rate "$4" "$1")" -v of="$(rate "$4" "$3")" -v share="$(goal "$1")" 'BEGIN {
    printf "%s: %.4g, %.1f %% of %.4g; %.0f %% are asked for\n", name, value, 100 * value / of, of, 100 * share
    exit !(of > 0 && value >= share * of)
  }' || fail "too slow"
}
sanitize() { # kernel, tool
  local text rc=0 small here
  mapfile -t small < <(small_size "$1")
  ((${#small[@]})) || return 1
  mapfile -t here < <(params_here "$1")
  text=$(compute-sanitizer --tool "$2" --error-exitcode 9 "$bench" "$1" --backend cuda --batches 1 --batch-s 1e-6 \
    "${small[@]}" "${here[@]}" 2>&1) || rc=$?
  printf '== %s, %s: exit code %s\n%s\n' "$1" "$2" "$rc" "$text"
  return "$rc"
}
if [[ $part == sizes ]]; then # on the host, so that this can be seen without a GPU
  for kernel in $(ours); do
    mapfile -t small < <(small_size "$kernel")
    ((${#small[@]})) || fail "$kernel"
    "$bench" "$kernel" --backend host --batches 1 --batch-s 1e-6 "${small[@]}" || fail "$kernel"
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
    at_least triad GB/s link 2
    at_least sgemm GFLOP/s sgemm-cublas 1
    at_least gemm-tc GFLOP/s gemm-tc-cublas 1
    ;;
  sanitizer)
    command -v compute-sanitizer >/dev/null || skip "compute-sanitizer is not on PATH"
    export bench backend
    export -f sanitize small_size params_here
    for kernel in $(ours); do
      printf "$kernel %s\n" memcheck racecheck synccheck initcheck
    done | xargs -P "$(($(nproc) < 8 ? $(nproc) : 8))" -L 1 bash -c 'sanitize "$@"' _ || fail "not clean: see above"
    ;;
  *) fail "usage: suite.sh KERNEL_BENCH sizes|checks|rates|sanitizer" ;;
esac
