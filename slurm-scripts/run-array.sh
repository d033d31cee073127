#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run-array.sh STUDY -o FILE.h5 [--slices N] [--throttle T] [options] [-- options of palstudy run]
#
# A job array whose elements do the runs of a study slice by slice, T of them at a time; merge.sh joins what they leave.
# Without --slices there are as many as keep each within half of its time limit, by the estimate of `palstudy plan`;
# never more than there are runs, or than the site's MaxArraySize allows. Prints the array's id.
set -euo pipefail
# shellcheck source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
takes+=([-o]=output [--slices]=SLICES [--throttle]=THROTTLE)

# A figure of the plan for the whole study.
total_of() { # name
  # The first: those of the looks of [stop] follow.
  sed -n "/^  \"total\"/,\$s/^ *\"$1\": \([0-9.e+-]*\),*\$/\1/p" <<<"$plan" | sed 1q
}

# The largest index is one less; 1001 is Slurm's own default.
largest_array() {
  local size
  size=$(scontrol show config 2>/dev/null | awk '$1 == "MaxArraySize" { print $3 }' || true)
  echo $((${size:-1001} - 1))
}

choose_slices() {
  local runs wanted most
  runs=$(total_of runs)
  [ -n "$runs" ] || die "palstudy plan --json says no number of runs"
  wanted=$(setting SLICES)
  if [ -z "$wanted" ]; then
    local nodes tasks time_s
    time_s=$(setting TIME)
    time_s=$(seconds_of "${time_s:-60}")
    nodes=$(number NODES 1)
    tasks=$(number TASKS_PER_NODE 1)
    wanted=$(awk -v work="$(total_of core_s)" -v ranks="$((nodes * tasks))" -v time="$time_s" \
      'BEGIN { n = work / (ranks * time / 2); print (n > int(n) ? int(n) + 1 : (n < 1 ? 1 : n)) }')
  fi
  [[ $wanted =~ ^[1-9][0-9]*$ ]] || die "--slices $wanted: give a number, 1 at least"
  most=$(largest_array)
  ((most >= 1)) || die "this site allows no job arrays (MaxArraySize); use run.sh"
  if ((wanted > most)); then
    echo "${0##*/}: $wanted slices are more than MaxArraySize allows: $most" >&2
    wanted=$most
  fi
  slices=$((wanted < runs ? wanted : runs))
}

parse_options "$@"
need_study
need_output
program=$(find_program)
plan=$("$program" plan "$study" "${overrides[@]}" --json) || die "palstudy plan refuses the study (see above)"
choose_slices
read_launcher
throttle=$(number THROTTLE 16)
directives=(array "1-$slices%$throttle")
command=("${launcher[@]}" "$program" run "$study" -o "$output" --resume "${rest[@]}")
before_step="command+=(--slice \"\$SLURM_ARRAY_TASK_ID/$slices\")"
script=$(make_script palstudy-array %A_%a)
submit "$script"
