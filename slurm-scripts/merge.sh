#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# merge.sh FILE.h5 [options] [-- options of palstudy merge]
#
# A job that joins what the elements of run-array.sh left into the archive FILE.h5. Prints the job's id. Of a study with
# [stop] it takes the look that is due. Where runs are missing or more seeds are wanted it ends with 4, and is not queued
# again, unless submit.sh, which made it part of a chain, told it how to submit the next round.
set -euo pipefail
# shellcheck source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
kind=MERGE
parse_options "$@"
((${#operands[@]} == 1)) || die "give one FILE.h5; --help says more"
output=${operands[0]}
need_output
program=$(find_program)
read_launcher
directives=()
[ -z "${PALSTUDY_NEXT_ROUND:-}" ] || declare -a again="($PALSTUDY_NEXT_ROUND)" # quoted by submit.sh
command=("${launcher[@]}" "$program" merge "$output" "${rest[@]}")
# shellcheck disable=SC2016
# Queued again after a node was lost: the archive may be there already, with or without left-over shards.
before_step='needs_runs=yes # a 4 of its own is not mended by queueing it again
if ((attempt > 1)) && [ -e "$output" ]; then
  if [ ! -e "$output.parts" ]; then
    say "the archive is there already"
    exit 0
  fi
  command+=(--force)
fi'
show_plan() {
  if [ -e "$output" ] || [ -e "$output.parts" ]; then
    "$program" status "$output" || true
  else
    echo "joins what is in $output.parts by then"
  fi
}
script=$(make_script palstudy-merge %j)
submit "$script"
