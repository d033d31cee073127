#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# measure_ranks.sh PROGRAM MPIEXEC NUMPROC_FLAG RANKS: the program with a folder of its own.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$2" "$3" "$4" "$1" "$folder"
