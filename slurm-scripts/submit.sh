#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# submit.sh STUDY -o FILE.h5 [--slices N|--single] [--throttle T] [--measure PROFILE.h5] [options] [-- options of palstudy run]
#
# The whole campaign as a chain of jobs: measure.sh, if a profile is asked for; run-array.sh and merge.sh, or with
# --single run.sh alone. Each begins when the one before has ended well, and is cancelled if that never happens. Of a study
# with [stop] each round is an array, with the seeds of one look, and a merge, which ends the study or submits the next.
# --nodes and --tasks-per-node are of the runs; the others hold for all. Prints the ids of the jobs, a line each.
set -euo pipefail
# shellcheck source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
kind=''
takes+=([-o]=output [--slices]=RUN_SLICES [--throttle]=RUN_THROTTLE [--measure]=profile
  [--nodes]=RUN_NODES [--tasks-per-node]=RUN_TASKS_PER_NODE [--cpus-per-task]=RUN_CPUS_PER_TASK)
profile='' single=''
words=()
for word in "$@"; do
  if [[ $word == --single && -z ${past_options:-} ]]; then single=yes; else words+=("$word"); fi
  [[ $word != -- ]] || past_options=yes
done
parse_options "${words[@]}"
[ -z "$single" ] || [ -z "${PALSTUDY_RUN_SLICES:-}" ] || die "--single makes one job, --slices several: give one of them"
need_study
need_output

flags=()
[ -z "$dry_run" ] || flags=(--dry-run)
# One job of the chain; its id is what the next one waits for. A dry run has no ids, so it shows the name.
chain() { # name script arguments...
  local name=$1 script=$2
  shift 2
  local waits=()
  [ -z "$after" ] || waits=(--after "$after")
  if [ -n "$dry_run" ]; then
    echo "# === $name"
    "$scripts_dir/$script" "$@" "${flags[@]}" "${waits[@]}" "${tail_words[@]}"
    after="<id of $name>"
    return
  fi
  after=$("$scripts_dir/$script" "$@" "${waits[@]}" "${tail_words[@]}")
  echo "$name $after"
}

tail_words=()
[ -z "$profile" ] || chain measure measure.sh -o "$profile"
((${#rest[@]} == 0)) || tail_words=(-- "${rest[@]}")
if [ -n "$single" ]; then
  chain run run.sh "$study" -o "$output"
else
  chain array run-array.sh "$study" -o "$output"
  next_round=("$scripts_dir/submit.sh" "$study" -o "$output" "${tail_words[@]}")
  tail_words=()
  PALSTUDY_NEXT_ROUND=$(printf '%q ' "${next_round[@]}") chain merge merge.sh "$output"
fi
