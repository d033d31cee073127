# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# The part that every job script has, pasted in when it is made. Set before it: command, output, attempts, signal_s.
# shellcheck disable=SC2154
set -euo pipefail
job=${SLURM_JOB_ID:?this is a script for sbatch}
# The number of an element's job may be that of its whole array.
[ -z "${SLURM_ARRAY_TASK_ID:-}" ] || job=${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID
attempt=$((${SLURM_RESTART_COUNT:-0} + 1))
# Since Slurm 22.05 srun does not take this from sbatch by itself.
[ -z "${SLURM_CPUS_PER_TASK:-}" ] || export SRUN_CPUS_PER_TASK=$SLURM_CPUS_PER_TASK
step='' caught='' warned='' cancelled='' timer='' rc=0

say() { echo "$(date -u +%FT%TZ) job $job, attempt $attempt of $attempts: $*"; }

# Into the queue once more, as long as attempts are left.
requeue() { # why
  if ((attempt >= attempts)); then
    say "$1; gave up after $attempt attempts. What is finished is kept beside $output: submit again to go on, or" \
      "see with palstudy status how far it is."
    exit 4
  fi
  say "$1; goes into the queue again"
  scontrol requeue "$job" || say "could not be queued again: submit again to go on"
  exit 4
}

# USR1 comes at least signal_s ahead of the time limit: the ranks keep what they have at hand and end with 4. Those that
# have not when a quarter of it is left are taken away: a job that Slurm itself ends at the limit has failed for those that
# wait for it, however soon it is queued again.
on_usr1() {
  caught=USR1
  [ -z "$step" ] || kill -USR1 "$step" 2>/dev/null || true
  [ -z "$warned" ] || return 0
  warned=yes
  (
    sleep $((signal_s * 3 / 4)) &
    trap 'kill $!; exit' TERM
    wait $! && kill -s ALRM $$
  ) &
  timer=$!
}
on_alarm() { requeue "did not stop in time"; }
# TERM comes at the time limit, when nothing is left but to queue again; or somebody cancels the job, and then that is
# what is wanted.
on_term() {
  caught=TERM
  [ -z "$step" ] || kill -TERM "$step" 2>/dev/null || true
  [[ $(scontrol show job "$job" 2>/dev/null || true) != *Reason=TimeLimit* ]] || requeue "the time limit came first"
  cancelled=yes
}
trap on_usr1 USR1
trap on_alarm ALRM
trap '[ -z "$timer" ] || kill "$timer" 2>/dev/null || true' EXIT
trap on_term TERM

# In the background, since bash hears no signal while it waits for one in front.
run_step() {
  say "$(printf '%q ' "$@")"
  "$@" &
  step=$!
  # One that came before there was anybody to hand it to.
  [ -z "$caught" ] || kill -s "$caught" "$step" 2>/dev/null || true
  while
    caught='' rc=0
    wait "$step" || rc=$?
    [ -n "$caught" ]
  do :; done
  step=''
}

# A study with [stop] wants more seeds, or runs are missing: the merge that found it submits the array that makes them, and
# the merge after it. What Slurm told this job is not for those.
next_round() {
  say "wants more seeds or runs; submits the next round: $(printf '%q ' "${again[@]}")"
  (
    for name in "${!SLURM_@}"; do [ "$name" = SLURM_CONF ] || unset "$name"; done
    exec "${again[@]}"
  ) || {
    say "could not submit it: submit the same line again to go on"
    exit 4
  }
  say "ended with 0"
  exit 0
}

# 4 is "stopped early, can be resumed"; so is, after USR1, 138, which is what it does to a program that has only begun, and
# -1: bash has lost what the program ended with while it heard the signal. Everything else is the end.
end_job() {
  if [ -n "$warned$cancelled" ] && [[ $rc == 138 || $rc == -1 ]]; then rc=4; fi
  if [ "$rc" -eq 4 ] && [ -z "$warned$cancelled" ] && [ -n "${needs_runs:-}" ]; then
    [ -z "${again[*]:-}" ] || next_round
    say "runs are missing or more seeds are wanted: run-array.sh makes them, then merge.sh again"
    exit 4
  fi
  [ "$rc" -ne 4 ] || [ -n "$cancelled" ] || requeue "stopped early"
  say "ended with $rc"
  exit "$rc"
}
