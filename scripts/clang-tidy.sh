#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# clang-tidy.sh [--changed | FILE...]: clang-tidy 16 over the program's sources, over those that have changed since the
# newest version got its heading in CHANGELOG.md (or include a header that has), or over the files given. Any finding
# fails. Version 14 cannot read libstdc++ 12's ranges. It looks at each room as one file, which spares it most of the
# headers; the analyzer then follows calls from file to file, but gives up a function after 20,000 states. A file given by
# name is looked at alone, and as long as it takes. The commands come from the release preset and may name warnings that
# only GCC knows.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
tidy=$(command -v clang-tidy-16 || command -v clang-tidy)
commands() { # FOLDER ON|OFF: for files compiled together, or one by one
  cmake --preset release -B "$1" -DCMAKE_UNITY_BUILD="$2" -DCMAKE_UNITY_BUILD_BATCH_SIZE=0 -DPALSTUDY_CUDA=OFF \
    -DPALSTUDY_TESTS=OFF >/dev/null
}
check() { # FOLDER OPTION..., files on standard input
  local folder=$1
  shift
  xargs -0 -r -n 1 -P "$(nproc)" "$tidy" --quiet --warnings-as-errors='*' --extra-arg=-Wno-unknown-warning-option \
    --extra-arg=-Wshadow --extra-arg=-Wreserved-identifier --extra-arg=-Wreserved-macro-identifier -p "$folder" "$@"
}

changed_files() { # FILE: writes their names there; fails where git does not know, and all are to be looked at
  local heading since
  heading=$(grep -m1 '^## [0-9]' CHANGELOG.md)
  since=$(git log -1 --format=%H -S"$heading" -- CHANGELOG.md 2>/dev/null) && [ -n "$since" ] &&
    git diff --name-only "$since^" >"$1" 2>/dev/null && git ls-files --others --exclude-standard >>"$1"
}

changed=()
if [ "$*" = --changed ]; then
  shift
  mkdir -p build
  ! changed_files build/tidy-changed || changed=(build/tidy-changed)
fi
if [ $# -gt 0 ]; then
  commands build/tidy OFF
  printf '%s\0' "$@" | check build/tidy
  exit
fi
commands build/tidy-unity ON
python3 scripts/unified_sources.py build/tidy-unity build/tidy-unity/unified "${changed[@]}" |
  check build/tidy-unity/unified --checks=-bugprone-suspicious-include --extra-arg=-Xclang \
    --extra-arg=-analyzer-config --extra-arg=-Xclang --extra-arg=max-nodes=20000
