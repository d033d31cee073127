#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# chain.sh PALSTUDY SOURCE
# A campaign as a chain of jobs on a real Slurm of two nodes. One element of its array stops early, with exit code 4; the
# program of the other hangs until it is taken away, ahead of the time limit. Both go into the queue again by themselves,
# the merge waits for both, and the archive has the digest of one that nobody disturbed. Beside it a job that is not
# warned and hangs until its time limit ends it (a minute, and some more until Slurm looks); it goes on too. Then the same study
# as one job over both nodes, started by srun and by mpirun; a chain that breaks; and one that goes round with [stop].
set -euo pipefail
palstudy=$1 scripts=$2/slurm-scripts here=$2/tests/slurm
folder=$(mktemp -d)
work="$folder/a folder"
tidy() {
  "$here/slurm-host.sh" down "$folder/slurm"
  rm -rf "$folder"
}
trap tidy EXIT
for name in "${!PALSTUDY_@}" "${!SLURM_@}"; do unset "$name"; done
mkdir "$work"
cp "$here/study.toml" "$work"
cd "$work"

fail() {
  tail -n 40 "$work"/slurm-logs/* 2>/dev/null || true
  echo "chain: $*" >&2
  exit 1
}
has() { grep -qF -- "$2" "$1" || fail "$1 lacks: $2"; }
# Two attempts, or more on a machine so busy that the second has met the limit too.
tried_again() { grep -qE "attempt ([2-9]|1[0-9]) of 20: ended with 0" "$1" || fail "$1: no later attempt ended well"; }
# Returns when the job has ended, however it did: a job that depends on it has run then.
wait_for() { sbatch --wait --quiet --time=1 --output=/dev/null --dependency="afterany:$1" --wrap=true; }
state_of() { scontrol show job "$1" | sed -n 's/^ *JobState=\([A-Z]*\).*/\1/p'; }
same() { # archive
  [ -e "$1" ] || fail "there is no $1"
  [ "$("$palstudy" digest "$1")" = "$want" ] || fail "$1 has another digest"
  "$palstudy" verify "$1" >/dev/null || fail "$1 does not verify"
  [ ! -e "$1.parts" ] || fail "$1.parts was left"
}

"$palstudy" run study.toml -o undisturbed.h5
want=$("$palstudy" digest undisturbed.h5)

"$here/slurm-host.sh" up "$folder/slurm" 2 4
eval "$("$here/slurm-host.sh" env "$folder/slurm")"
export PALSTUDY_TIME=1 PALSTUDY_TASKS_PER_NODE=2

# In its first attempt element 1 stops as soon as it can, and so does element 2, which then hangs. So
# does the job that is no element.
cat >disturbed <<END
#!/usr/bin/env bash
case \${SLURM_JOB_ID:+job}\${SLURM_ARRAY_TASK_ID:-}.\${SLURM_RESTART_COUNT:-0} in
  job1.0) exec "$palstudy" "\$@" --time-limit 0.001 ;;
  job2.0 | job.0) [ "\$1" = merge ] || { "$palstudy" "\$@" --time-limit 0.001; kill -STOP \$\$; } ;;
esac
exec "$palstudy" "\$@"
END
chmod +x disturbed
PALSTUDY=$work/disturbed PALSTUDY_LAUNCH=none "$scripts/run.sh" --dry-run study.toml -o late.h5 --tasks-per-node 1 |
  sed '/^# ---/,$d; /^#SBATCH --signal/d' >late
mkdir slurm-logs
late=$(sbatch --parsable late)
PALSTUDY=$work/disturbed PALSTUDY_LAUNCH="srun --mpi=pmix" "$scripts/submit.sh" study.toml -o chain.h5 --slices 2 >ids
cat ids
array=$(awk '$1 == "array" { print $2 }' ids) merge=$(awk '$1 == "merge" { print $2 }' ids)
wait_for "$merge"
log=slurm-logs/palstudy-array-${array}
has "${log}_1.out" "stopped early; goes into the queue again"
has "${log}_2.out" "did not stop in time; goes into the queue again"
for element in 1 2; do
  tried_again "${log}_$element.out"
  has "${log}_$element.out" "job ${array}_$element ends in" # what the program asked squeue
done
same chain.h5
# Each start of each element has its row, with what it used of the job's two cores: the element that hung did so after
# its program had ended, so no row is as long as its job.
for python in python3 /usr/bin/python3; do
  ! "$python" -c 'import h5py' 2>/dev/null || break
done
"$python" - chain.h5 "$array" <<'END'
import sys
import h5py
jobs = h5py.File(sys.argv[1])["provenance/jobs"]
column = lambda name: list(jobs[name].asstr()[:]) if jobs[name].dtype.kind == "S" else list(jobs[name][:])
assert set(column("job")) == {sys.argv[2] + "_1", sys.argv[2] + "_2"}, column("job")
assert all(column("job").count(job) >= 2 for job in column("job")), column("job")
assert set(column("launcher")) == {"srun"}, column("launcher")
for name, expected in (("nodes", 1), ("ranks", 2), ("cores", 2)):
    assert set(column(name)) == {expected}, (name, column(name))
assert all(0 <= hours < 2 * 60 / 3600 for hours in column("core_hours")), column("core_hours")
assert all(start <= end for start, end in zip(column("start"), column("end")))
END

wait_for "$late"
has "slurm-logs/palstudy-run-$late.out" "DUE TO TIME LIMIT"
has "slurm-logs/palstudy-run-$late.out" "the time limit came first; goes into the queue again"
tried_again "slurm-logs/palstudy-run-$late.out"
same late.h5

# One job over both nodes.
export PALSTUDY=$palstudy
for launch in "srun --mpi=pmix" mpirun; do
  archive=${launch%% *}.h5
  id=$(PALSTUDY_LAUNCH=$launch "$scripts/run.sh" study.toml -o "$archive" --nodes 2)
  wait_for "$id"
  same "$archive"
  has "slurm-logs/palstudy-run-$id.out" "ended with 0"
done

# An element that fails is not tried again, and the merge behind it is cancelled rather than left in the queue for ever.
# shellcheck disable=SC2016
printf '%s\n' '#!/usr/bin/env bash' '[ "$1" = plan ] || exit 3' "exec \"$palstudy\" \"\$@\"" >broken
chmod +x broken
PALSTUDY=$work/broken PALSTUDY_LAUNCH=none "$scripts/submit.sh" study.toml -o broken.h5 --slices 2 >ids
merge=$(awk '$1 == "merge" { print $2 }' ids)
wait_for "$merge"
[ "$(state_of "$merge")" = CANCELLED ] || fail "the merge after a failure is $(state_of "$merge")"

# A study with [stop] goes round: the merge of the first look submits the array and the merge of the second, which is the last.
rule=(--set 'stop.looks=[20, 22]' --set stop.relative_half_width=1e-6)
"$palstudy" run study.toml -o looks-alone.h5 "${rule[@]}"
want=$("$palstudy" digest looks-alone.h5)
PALSTUDY_LAUNCH=none "$scripts/submit.sh" study.toml -o looks.h5 --slices 2 --tasks-per-node 1 -- "${rule[@]}" >ids
merge=$(awk '$1 == "merge" { print $2 }' ids)
wait_for "$merge"
has "slurm-logs/palstudy-merge-$merge.out" "wants more seeds"
merge=$(awk '$1 == "merge" { print $2 }' "slurm-logs/palstudy-merge-$merge.out")
wait_for "$merge"
same looks.h5
echo "chain: as expected"
