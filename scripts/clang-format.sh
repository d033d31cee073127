#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# clang-format.sh [--check]: formats every C++ file of ours with clang-format 14, or only says what it would change.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
format=$(command -v clang-format-14 || command -v clang-format)
options=(-i)
[ "${1:-}" != --check ] || options=(--dry-run -Werror)
find src kernels tests \( -name '*.cpp' -o -name '*.hpp' -o -name '*.cu' \) -print0 |
  xargs -0 "$format" "${options[@]}"
