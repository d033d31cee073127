#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# scripts.sh PALSTUDY SOURCE
# slurm-scripts/ without a Slurm: its commands are stand-ins that write down what they are asked and answer what the case
# wants. What is shown: the job scripts, what they refuse, and what a job does with signals and exit codes.
set -euo pipefail
palstudy=$1 scripts=$2/slurm-scripts
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
work="$folder/a folder" fakes=$folder/fakes
mkdir -p "$work" "$fakes"
cp "$2/tests/slurm/study.toml" "$work/my study.toml"
cd "$work"
# Settings of whoever calls the test are none of its business.
for name in "${!PALSTUDY_@}"; do unset "$name"; done
for name in "${!SLURM_@}"; do unset "$name"; done
export PALSTUDY=$palstudy FAKES=$fakes
export PATH=$fakes:$PATH

fail() {
  echo "scripts: $*" >&2
  exit 1
}
has() { grep -qF -- "$2" "$1" || { cat "$1"; fail "$1 lacks: $2"; }; }
lacks() { ! grep -qF -- "$2" "$1" || { cat "$1"; fail "$1 has: $2"; }; }
expect() { # exit code, then the command; what it says is in said.txt and errors.txt
  local want=$1 rc=0
  shift
  "$@" >"$folder/said.txt" 2>"$folder/errors.txt" || rc=$?
  [ "$rc" = "$want" ] || { cat "$folder/said.txt" "$folder/errors.txt"; fail "exit code $rc instead of $want: $*"; }
}
said=$folder/said.txt errors=$folder/errors.txt
fake() { # name; its text on standard input
  { echo '#!/usr/bin/env bash'; cat; } >"$fakes/$1"
  chmod +x "$fakes/$1"
}

# Gives ids from 101 on and keeps what it was given.
fake sbatch <<'END'
id=$((100 + $(cat "$FAKES/count" 2>/dev/null || echo 1)))
echo $((id - 99)) >"$FAKES/count"
cat >"$FAKES/job-$id.sh"
echo "$*" >"$FAKES/job-$id.args"
echo "$id"
END
fake scontrol <<'END'
echo "$*" >>"$FAKES/scontrol.log"
case $1 in
  show) [ "$2" = config ] && echo "MaxArraySize            = ${FAKE_MAX_ARRAY:-1001}" || echo "JobState=X Reason=${FAKE_REASON:-None} D" ;;
esac
END
# Starts one task, whatever it was asked.
fake srun <<'END'
echo "srun $*" >>"$FAKES/srun.log"
while [[ $1 == -* ]]; do shift; done
exec "$@"
END
submitted() { ls "$fakes"/job-* 2>/dev/null || true; }

# --- Dry runs: a script that bash can read, the plan, and nothing submitted.
study="my study.toml" archive="my results.h5"
dry() { # name, then the script and its arguments
  expect 0 "$scripts/$1" --dry-run "${@:2}"
  sed '/^# ---/,$d' "$said" >"$folder/job.sh"
  bash -n "$folder/job.sh" || fail "$1: bash cannot read the job script"
  has "$folder/job.sh" "set -euo pipefail"
  has "$folder/job.sh" "#SBATCH --signal=B:USR1@120"
  has "$folder/job.sh" "#SBATCH --requeue"
  [ -z "$(submitted)" ] || fail "$1 --dry-run submitted something"
}
dry run.sh "$study" -o "$archive" --account=me --partition gpu --time 2:00:00 --nodes 3 --tasks-per-node 8 \
  --constraint 'a100|h100' -- --team 4
has "$said" '#SBATCH --account=me'
has "$said" '#SBATCH --partition=gpu'
has "$said" '#SBATCH --time=2:00:00'
has "$said" '#SBATCH --nodes=3'
has "$said" '#SBATCH --ntasks-per-node=8'
has "$said" '#SBATCH --constraint="a100|h100"'
has "$said" "#SBATCH --output=\"$work/slurm-logs/%x-%j.out\""
has "$said" ' srun '
has "$said" '--resume --team 4 )'
has "$said" '12 runs' # the plan
[ ! -e slurm-logs ] || fail "a dry run left a folder"

dry run-array.sh "$study" -o "$archive" --slices 4 --throttle 2
has "$said" '#SBATCH --array=1-4%2'
# shellcheck disable=SC2016
has "$said" 'command+=(--slice "$SLURM_ARRAY_TASK_ID/4")'
# Never more than runs, nor than the largest index of the site; and without --slices as many as the estimate asks for,
# which for runs of a moment is one.
dry run-array.sh "$study" -o "$archive" --slices 40
has "$said" '#SBATCH --array=1-12%16'
FAKE_MAX_ARRAY=6 dry run-array.sh "$study" -o "$archive" --slices 40
has "$said" '#SBATCH --array=1-5%16'
dry run-array.sh "$study" -o "$archive"
has "$said" '#SBATCH --array=1-1%16'
FAKE_MAX_ARRAY=0 expect 2 "$scripts/run-array.sh" "$study" -o "$archive" --dry-run

# What follows "--" and changes the study is planned with it: 3 seeds in place of 6, and a value that is no axis.
dry run-array.sh "$study" -o "$archive" --slices 40 -- --team 2 --set 'seed={first=1, count=3}' --set=engine.round_s=60
has "$said" '#SBATCH --array=1-6%16'
has "$said" '6 runs'
dry run.sh "$study" -o "$archive" -- --set 'seed={first=1, count=3}' --team 2
has "$said" '6 runs'
lacks "$said" '12 runs'

dry merge.sh "$archive" --after 7:8
has "$said" '#SBATCH --dependency=afterok:7:8'
has "$said" '#SBATCH --kill-on-invalid-dep=yes'
has "$said" '#SBATCH --nodes=1'
has "$said" '#SBATCH --ntasks-per-node=1'

dry measure.sh -o p.h5 --nodes 2 --gpus-per-node 4 --time 10
has "$said" '#SBATCH --gpus-per-node=4'
has "$said" '#SBATCH --ntasks-per-node=4'
has "$said" ' --gpu-bind=none '
has "$said" ' --time-limit 540 )'
has "$said" '2 nodes of 4 GPUs, one task a GPU'
PALSTUDY_GPU_REQUEST=gres PALSTUDY_GPU_TYPE=gpu:a100: dry measure.sh -o p.h5 --gpus-per-node 4 --gpu-bind task
has "$said" '#SBATCH --gres=gpu:a100:4'
has "$said" ' --gpus-per-task=1 '
PALSTUDY_LAUNCH=mpirun dry measure.sh -o p.h5 --gpus-per-node 4
has "$said" 'command=( mpirun /'
PALSTUDY_LAUNCH=mpirun expect 2 "$scripts/measure.sh" -o p.h5 --gpu-bind task --dry-run

# --- Where settings come from: the command line, then the environment (of this kind of job first), then the site.
PALSTUDY_LAUNCH="srun --mpi=pmix" PALSTUDY_TIME=50 PALSTUDY_RUN_TIME=60 PALSTUDY_SETUP="module load hdf5" \
  dry run.sh "$study" -o "$archive"
has "$said" 'command=( srun --mpi=pmix /'
has "$said" '#SBATCH --time=60'
has "$said" 'module load hdf5'
PALSTUDY_RUN_TIME=60 dry run.sh "$study" -o "$archive" --time 70
has "$said" '#SBATCH --time=70'
PALSTUDY_TIME=1 expect 0 "$scripts/run.sh" --dry-run "$study" -o "$archive"
has "$said" '#SBATCH --signal=B:USR1@15'
for site in "$scripts"/sites/*.env; do
  dry run.sh "$study" -o "$archive" --site "$(basename "$site" .env)"
  dry measure.sh -o p.h5 --site "$site"
done

# --- Refusals: exit code 2, a sentence that says what and what to do.
for script in run.sh run-array.sh submit.sh; do
  expect 2 "$scripts/$script" "$study" -o "$archive" --treads 4
  has "$errors" "$script: unknown option --treads"
  expect 2 "$scripts/$script" nowhere.toml -o "$archive"
  has "$errors" "nowhere.toml: there is no such study"
  expect 2 "$scripts/$script" "$study"
  has "$errors" "give -o FILE.h5"
done
for script in measure.sh merge.sh; do
  expect 2 "$scripts/$script" --unknown=1
  has "$errors" "$script: unknown option --unknown"
done
expect 2 "$scripts/run.sh" "$study" -o "$archive" --nodes
expect 2 "$scripts/run.sh" "$study" -o "$archive" --tasks-per-node many
has "$errors" 'PALSTUDY_TASKS_PER_NODE is "many"'
expect 2 "$scripts/run.sh" "$study" -o "$archive" --site nowhere
has "$errors" "the sites are frontier generic perlmutter"
expect 2 "$scripts/run-array.sh" "$study" -o "$archive" --slices 0
expect 2 "$scripts/run-array.sh" "$study" -o "$archive" --time soon
expect 2 "$scripts/submit.sh" "$study" -o "$archive" --single --slices 3
PALSTUDY=$folder/none expect 2 "$scripts/run.sh" "$study" -o "$archive"
has "$errors" "no program palstudy at $folder/none"
echo 'nonsense = 1' >>"$study"
expect 2 "$scripts/run-array.sh" "$study" -o "$archive"
cp "$2/tests/slurm/study.toml" "$study"
[ -z "$(submitted)" ] || fail "a refusal submitted something"
for script in measure run run-array merge submit; do
  expect 0 "$scripts/$script.sh" --help
  has "$said" "$script.sh"
  page=$(sed -n 's/, Settings, has all of them.$//p' "$said") # what --help names is there
  grep -q '^## Settings' "$page" || fail "$script.sh --help names the page \"$page\" for the settings"
done

# --- The chain: each job waits for the one before.
expect 0 "$scripts/submit.sh" "$study" -o "$archive" --slices 3 --measure p.h5 --dry-run
[ "$(grep -c '^#!/' "$said")" = 3 ] || fail "three jobs, three scripts"
[ -z "$(submitted)" ] || fail "submit.sh --dry-run submitted something"
expect 0 "$scripts/submit.sh" "$study" -o "$archive" --slices 3 --measure p.h5 --account=me -- --team 2
[ "$(cat "$said")" = $'measure 101\narray 102\nmerge 103' ] || { cat "$said"; fail "other jobs"; }
lacks "$fakes/job-101.sh" "dependency"
lacks "$fakes/job-101.sh" "--team"
has "$fakes/job-102.sh" "#SBATCH --dependency=afterok:101"
has "$fakes/job-102.sh" "#SBATCH --array=1-3%16"
has "$fakes/job-102.sh" "--resume --team 2 )"
has "$fakes/job-103.sh" "#SBATCH --dependency=afterok:102"
for id in 101 102 103; do has "$fakes/job-$id.sh" "#SBATCH --account=me"; done
[ "$(cat "$fakes/job-103.args")" = --parsable ] || fail "sbatch was given something else"
expect 0 "$scripts/submit.sh" "$study" -o "$archive" --single
[ "$(cat "$said")" = "run 104" ] || fail "--single is one job"

# --- What a job does. The array's script runs here, with a program that ends as the case wants.
job=$fakes/job-102.sh
sed -i "s|$palstudy|$fakes/program|" "$job"
has "$job" "$fakes/program"
fake program <<'END'
echo "program $*"
exit "${FAKE_RC:-0}"
END
in_job() { # exit code, variables...
  : >"$fakes/scontrol.log"
  expect "$1" env SLURM_JOB_ID=12 SLURM_ARRAY_JOB_ID=12 SLURM_ARRAY_TASK_ID=3 "${@:2}" bash "$job"
}
in_job 0
has "$said" "program run $work/$study -o $work/$archive --resume --team 2 --slice 3/3"
in_job 3 FAKE_RC=3
[ ! -s "$fakes/scontrol.log" ] || fail "a job that failed was queued again"
# The array's own number would queue all of its elements again.
in_job 4 FAKE_RC=4
has "$fakes/scontrol.log" "requeue 12_3"
in_job 4 FAKE_RC=4 SLURM_RESTART_COUNT=18
has "$said" "attempt 19 of 20"
has "$fakes/scontrol.log" "requeue 12_3"
in_job 4 FAKE_RC=4 SLURM_RESTART_COUNT=19
has "$said" "gave up after 20 attempts"
[ ! -s "$fakes/scontrol.log" ] || fail "queued again beyond the last attempt"

# A program that has its job sent a signal, and ends with 4 when it hears of one itself: USR1 comes ahead of the limit;
# TERM comes at the limit, or when the job is cancelled, which is not to be undone.
fake program <<'END'
trap 'echo heard TERM; exit 4' TERM
trap 'echo heard USR1; exit 4' USR1
kill -"$FAKE_SIGNAL" "$PPID"
mkfifo "$FAKES/fifo.$$"
read -r <>"$FAKES/fifo.$$"
END
in_job 4 FAKE_SIGNAL=USR1
has "$said" "heard USR1"
has "$fakes/scontrol.log" "requeue 12_3"
in_job 4 FAKE_SIGNAL=TERM FAKE_REASON=TimeLimit
has "$said" "the time limit came first"
has "$fakes/scontrol.log" "requeue 12_3"
in_job 4 FAKE_SIGNAL=TERM
has "$said" "heard TERM"
lacks "$fakes/scontrol.log" "requeue"

# Warned and deaf: it is taken away before the limit is there. (The time until then passes at once.)
fake sleep <<'END'
echo "$1" >"$FAKES/slept"
END
fake program <<'END'
trap '' USR1
echo $$ >"$FAKES/pid"
kill -USR1 "$PPID"
mkfifo "$FAKES/fifo.$$"
read -r <>"$FAKES/fifo.$$"
END
in_job 4
has "$said" "did not stop in time; goes into the queue again"
has "$fakes/scontrol.log" "requeue 12_3"
[ "$(cat "$fakes/slept")" = 90 ] || fail "waits $(cat "$fakes/slept") s after a signal 120 s ahead"
rm "$fakes/sleep"
kill "$(cat "$fakes/pid")" # as Slurm does with what a job leaves

# Warned before it could listen, the program dies of the signal; that is no failure of its own.
# shellcheck disable=SC2016
fake program <<<'kill -USR1 "$PPID"; kill -USR1 $$'
in_job 4
has "$fakes/scontrol.log" "requeue 12_3"
fake program <<<'exit 138' # and nobody warned the job
in_job 138

# A merge that is queued again finds the archive that it wrote before: done, if the shards are gone; else it writes it
# once more.
job=$fakes/job-103.sh
sed -i "s|$palstudy|$fakes/program|" "$job"
fake program <<<'echo "program $*"'
in_job 0
lacks "$said" "--force"
: >"$archive"
in_job 0
lacks "$said" "--force"
in_job 0 SLURM_RESTART_COUNT=1
lacks "$said" "program"
mkdir "$archive.parts"
in_job 0 SLURM_RESTART_COUNT=1
has "$said" "program merge $work/$archive --force"

# A merge that wants more seeds submits the next round, with the settings of this one though the environment has lost them;
# what Slurm told the job stays behind. Not if it was sent away itself, and not if the round cannot be submitted.
rm -r "$archive" "$archive.parts"
fake program <<END
[ "\$1" != plan ] || exec "$palstudy" "\$@"
exit 4
END
in_job 0
has "$said" "wants more seeds or runs"
has "$said" $'array 105\nmerge 106'
[ ! -s "$fakes/scontrol.log" ] || [ "$(grep -c requeue "$fakes/scontrol.log")" = 0 ] || fail "a merge was queued again"
has "$fakes/job-105.sh" "#SBATCH --array=1-3%16"
has "$fakes/job-105.sh" "#SBATCH --account=me"
has "$fakes/job-105.sh" "--resume --team 2 )"
lacks "$fakes/job-105.sh" "dependency"
has "$fakes/job-106.sh" "#SBATCH --dependency=afterok:105"
has "$fakes/job-106.sh" "$(grep '^again=' "$job")"
fake sbatch <<<'exit 1'
in_job 4
has "$said" "submit the same line again to go on"

# One that is no part of a chain is not queued again when runs are missing: that would make none.
sed -i '/^again=/d' "$job"
in_job 4
has "$said" "run-array.sh makes them"
[ ! -s "$fakes/scontrol.log" ] || fail "a merge without its runs was queued again"
echo "scripts: as expected"
