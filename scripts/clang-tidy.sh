#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# clang-tidy.sh [FILE...]: clang-tidy 16 over the program's sources (or the files given), each by itself, as the dev
# preset compiles it (the others compile several files as one). Its commands may name warnings that only GCC knows. Any
# finding fails. Version 14 cannot read libstdc++ 12's ranges.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
cmake --preset dev -B build/tidy >/dev/null
tidy=$(command -v clang-tidy-16 || command -v clang-tidy)
if [ $# -eq 0 ]; then
  mapfile -t files < <(find src kernels -name '*.cpp' 2>/dev/null | sort)
else
  files=("$@")
fi
printf '%s\0' "${files[@]}" | xargs -0 -n 4 -P "$(nproc)" "$tidy" --quiet --warnings-as-errors='*' \
  --extra-arg=-Wno-unknown-warning-option -p build/tidy
