#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# measure.sh -o PROFILE.h5 [--gpus-per-node N] [--gpu-bind none|task] [options] [-- options of palstudy measure]
#
# A job that measures every GPU of its nodes, one task a GPU. --gpu-bind none (the default): every task sees all GPUs of
# its node and takes the one of its place there. --gpu-bind task: Slurm gives each task one (--gpus-per-task=1); srun
# only. Prints the job's id.
set -euo pipefail
# shellcheck source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
kind=MEASURE
takes+=([-o]=output [--gpus-per-node]=GPUS_PER_NODE [--gpu-bind]=GPU_BIND)

bind_tasks() {
  local bind
  bind=$(setting GPU_BIND)
  case ${bind:-none} in
    none) binding=(--gpu-bind=none) ;;
    task) binding=(--gpus-per-task=1) ;;
    *) die "--gpu-bind $bind: it is none or task" ;;
  esac
  if [[ ${launcher[0]:-} != *srun ]]; then
    [[ ${bind:-none} == none ]] || die "--gpu-bind $bind needs srun as the launcher"
    binding=() # whatever else starts the tasks leaves all GPUs to all of them
  fi
}

parse_options "$@"
((${#operands[@]} == 0)) || die "${operands[0]}: measure takes no study; --help says more"
need_output
program=$(find_program)
read_launcher
bind_tasks
gpus=$(number GPUS_PER_NODE 1)
export PALSTUDY_MEASURE_TASKS_PER_NODE=$gpus
# What a site calls its GPUs: gpus-per-node (4), or gres (gpu:4, gpu:a100:4).
request=$(setting GPU_REQUEST)
directives=("${request:-gpus-per-node}" "$(setting GPU_TYPE)$gpus")
# Measured again under the same name it goes on; so it stops by itself before its job ends.
time_s=$(setting TIME)
time_s=$(seconds_of "${time_s:-60}")
limit=(--time-limit $((time_s * 9 / 10)))
[[ " ${rest[*]}" != *" --time-limit"* ]] || limit=()
command=("${launcher[@]}" "${binding[@]}" "$program" measure -o "$output" "${limit[@]}" "${rest[@]}")
nodes=$(number NODES 1)
show_plan() { echo "$nodes nodes of $gpus GPUs, one task a GPU"; }
script=$(make_script palstudy-measure %j)
submit "$script"
