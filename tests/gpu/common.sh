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
small_size() {
  case $1 in
    sgemm | gemm-tc) echo n=256 ;;
    conv3x3 | transformer) echo batch=1 ;;
    pagerank) echo scale=10 ;;
    triad) echo n=1048576 ;;
    fft3d) echo n=64 ;;
    interp3d) echo n=48 ;;
    chase) echo hops=65536 ;;
    fma-peak) echo steps=64 ;;
    link) echo kib=256 ;;
    allreduce) echo n=65536 ;;
    *) echo "a small size of $1 is wanted here" >&2; return 1 ;;
  esac
}
