#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# unit-tests.sh PRESET: runs the unit tests of a preset that is built, and keeps what ctest says of them for ./test.sh.
set -euo pipefail
ctest --preset "$1" | tee "build/$1/unit-tests.log"
