#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.sh STUDY -o FILE.h5 [options] [-- options of palstudy run]
#
# One MPI job whose ranks share the runs of a study and write the archive at the end. Stopped by its time limit, it
# goes into the queue again and on from there. Prints the job's id.
set -euo pipefail
# shellcheck source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
takes[-o]=output
parse_options "$@"
need_study
need_output
program=$(find_program)
read_launcher
directives=()
command=("${launcher[@]}" "$program" run "$study" -o "$output" --resume "${rest[@]}")
script=$(make_script palstudy-run %j)
submit "$script"
