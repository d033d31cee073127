#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the linter over every shell script of ours; no arguments.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# -x follows what a script sources; -P looks for it beside the script.
find . -path ./build -prune -o \( -name '*.sh' -o -path ./.ci/run \) -print0 |
  xargs -0 shellcheck -x -P SCRIPTDIR
