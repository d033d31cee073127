#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# fuzz.sh STEM SECONDS: runs build/asan/fuzz_STEM from its seeds. What it finds on the way is kept out of the source
# tree; an input that breaks the reader is left in build/asan/.
set -euo pipefail
stem=$1 seconds=$2
found=$(mktemp -d)
trap 'rm -rf "$found"' EXIT
seeds=()
[ ! -d "tests/fuzz/corpus/$stem" ] || seeds=("tests/fuzz/corpus/$stem")
"build/asan/fuzz_$stem" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=4096 -print_final_stats=1 \
  -artifact_prefix="build/asan/$stem-" "$found" "${seeds[@]}"
