# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154
# Sourced by suite.sh and run.sh. They set `bench` (kernel-bench) and `backend`.

# The kernels of ours, without those of cuBLAS and cuFFT.
ours() { "$bench" --list | awk '/^[^ ]/ && $1 !~ /-(cublas|cufft)$/ { print $1 }'; }

# What a kernel needs on this GPU beside its defaults: tensor cores take bfloat16 from compute capability 8.0 on.
params_here() { # kernel; prints arguments of kernel-bench, a line each
  local capability=""
  [[ $backend != cuda ]] || capability=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -1)
  [[ $1 != gemm-tc* || -z $capability || ${capability%%.*} -ge 8 ]] || printf '%s\n' --param type=fp16
}

# The rate of a kernel: column 1 GFLOP/s, 2 GB/s; then kernel and parameters.
rate() {
  local column=$1 here
  shift
  mapfile -t here < <(params_here "$1")
  "$bench" "$@" "${here[@]}" --backend "$backend" --batches 30 |
    awk -v c="$column" '/GFLOP\/s,/ { print (c == 1 ? $1 : $3); found = 1 } END { exit !found }'
}

# Small enough for a tool that slows a kernel by hundreds; gpu.sizes sees that the kernels take them.
small_size() { # kernel; prints arguments of kernel-bench, a line each
  local size
  case $1 in
    sgemm | gemm-tc) size=n=256 ;;
    conv3x3) size=batch=1 ;;
    transformer) size='batch=1 hidden=256 length=32' ;;
    pagerank) size=scale=10 ;;
    triad) size=n=1048576 ;;
    fft3d) size=n=64 ;;
    interp3d) size=n=48 ;;
    chase) size=hops=65536 ;;
    fma-peak) size=steps=64 ;;
    link) size=kib=256 ;;
    allreduce) size=n=65536 ;;
    *) echo "a small size of $1 is wanted here" >&2; return 1 ;;
  esac
  # shellcheck disable=SC2086  # of words
  printf -- '--param\n%s\n' $size
}

# The least share of its yardstick's rate that a kernel is to reach.
goal() {
  case $1 in
    triad) echo 0.8 ;;
    sgemm) echo 0.6 ;;
    gemm-tc) echo 0.5 ;;
    *) echo 0 ;;
  esac
}
