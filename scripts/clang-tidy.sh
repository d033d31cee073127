#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# clang-tidy.sh [FILE...]: clang-tidy 16 over the program's sources, or the files given. Any finding fails. Version 14
# cannot read libstdc++ 12's ranges. Of all sources, the checks of the syntax tree look at ten files as one, which spares
# them nine times the headers; the analyzer looks into functions of the file it is given alone, so it gets each by itself.
# The commands come from the release preset and may name warnings that only GCC knows.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
tidy=$(command -v clang-tidy-16 || command -v clang-tidy)
commands() { # FOLDER ON|OFF: for files compiled together, or one by one
  cmake --preset release -B "$1" -DCMAKE_UNITY_BUILD="$2" -DPALSTUDY_CUDA=OFF -DPALSTUDY_TESTS=OFF >/dev/null
}
check() { # FOLDER CHECKS, files on standard input
  xargs -0 -n 2 -P "$(nproc)" "$tidy" --quiet --warnings-as-errors='*' --checks="$2" \
    --extra-arg=-Wno-unknown-warning-option -p "$1"
}

commands build/tidy OFF
if [ $# -gt 0 ]; then
  printf '%s\0' "$@" | check build/tidy ''
  exit
fi
commands build/tidy-unity ON
python3 -c 'import json, sys
for entry in json.load(open(sys.argv[1])): print(entry["file"], end="\0")' build/tidy-unity/compile_commands.json |
  check build/tidy-unity '-clang-analyzer-*,-bugprone-suspicious-include'
find src kernels -name '*.cpp' -print0 | sort -z | check build/tidy '-*,clang-analyzer-core.*,clang-analyzer-cplusplus.*'
