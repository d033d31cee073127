#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# build-preset.sh PRESET: configures and builds a preset from the repository's root.
set -euo pipefail
cmake --preset "$1"
cmake --build --preset "$1"
