#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# build-preset.sh PRESET [OPTION...]: configures a preset from the repository's root, with the options, and builds it.
set -euo pipefail
cmake --preset "$@"
cmake --build --preset "$1"
