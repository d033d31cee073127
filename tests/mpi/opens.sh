#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# opens.sh PALSTUDY SOURCE MPIEXEC NUMPROC_FLAG
# However many ranks there are, the study and each of its inputs is opened once, by rank 0: a trace, a table of models, a
# profile, and the program's own data. Counted by strace; exit code 77 without it.
set -euo pipefail
palstudy=$1 source=$2 mpiexec=$3 numproc=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
fail() { echo "FAILED: $*"; cat err.txt; exit 1; }
strace -o none true 2> /dev/null || { echo "skipped: strace is not there, or may not trace"; exit 77; }
export PALSTUDY_DATA=$source

awk 'BEGIN { print "job_id,submit_s,num_gpus,iterations,iteration_s,class"
  for (j = 0; j < 40; ++j) print j "," 20 * j "," 1 + j % 8 "," 100 + 37 * j % 900 ",1,A" }' > trace.csv
awk 'BEGIN { for (g = 0; g < 16; ++g) print "g" g "," 1 + g % 5 / 10 }' > times.csv
mkdir runs
{ echo gpu_id,time_ms; cat times.csv; } | tee kernel.csv runs/kernel.csv > /dev/null
"$palstudy" profile import kernel.csv -o own.h5 2> err.txt || fail "a profile of our own"
printf '[classes.mine]\nA = "kernel"\n' > classes.toml
cp "$source/jobs/models.toml" models.toml
cat > study.toml << 'END_OF_STUDY'
[cluster]
gpus = 16
source = "measured"
[workload]
trace = "trace.csv"
reader = "native"
models = "models.toml"
[measure]
jobs = { first = 0, last = 39 }
[axes]
seed = { first = 1, count = 4 }
END_OF_STUDY

# How often files whose path has this end were opened, by all ranks.
opens() { grep -h "open.*$1\", O_RDONLY" trace.out.* | grep -vc ENOENT || true; }
counted() { # what, options of the campaign
  local what=$1
  shift
  rm -f trace.out.*
  "$mpiexec" "$numproc" 4 strace -ff -e trace=open,openat -o trace.out "$palstudy" run study.toml -o "$what.h5" "$@" \
    < /dev/null > /dev/null 2> err.txt || fail "a campaign of 4 ranks under strace"
  "$palstudy" run study.toml -o alone.h5 --force "$@" 2> err.txt || fail "the same by one process"
  [[ $("$palstudy" digest "$what.h5") == "$("$palstudy" digest alone.h5)" ]] || fail "$what: another digest"
}
once() { for file in "$@"; do [[ $(opens "$file") == 1 ]] || fail "$file was opened $(opens "$file") times"; done; }

counted bundled
once /study.toml /trace.csv "$folder/models.toml" /longhorn-resnet50.csv /runs/longhorn-bert.csv
[[ $(opens kernels/measurements) == 1 ]] || fail "the folder of measurements was listed $(opens kernels/measurements) times"
counted own --set 'cluster.profile="own.h5"' --set 'cluster.classes="classes.toml"'
once /study.toml /trace.csv /own.h5 "$folder/classes.toml"
echo "each input is opened once by 4 ranks"
