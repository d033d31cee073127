#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# clang-tidy.sh [BUILD_DIR] [FILE...]: clang-tidy 16 over the program's sources (or the files given), with the compile
# commands of BUILD_DIR (build/release), which may name warnings that only GCC knows. Any finding fails. Version 14 cannot
# read libstdc++ 12's ranges.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=${1:-build/release}
shift || true
tidy=$(command -v clang-tidy-16 || command -v clang-tidy)
if [ $# -eq 0 ]; then
  mapfile -t files < <(find src kernels -name '*.cpp' 2>/dev/null | sort)
else
  files=("$@")
fi
printf '%s\0' "${files[@]}" | xargs -0 -n 4 -P "$(nproc)" "$tidy" --quiet --warnings-as-errors='*' \
  --extra-arg=-Wno-unknown-warning-option -p "$build"
