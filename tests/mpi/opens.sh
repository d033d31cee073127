#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# opens.sh PALSTUDY SOURCE MPIEXEC NUMPROC_FLAG
# However many ranks there are, the study and each of its inputs is opened once, by rank 0: a trace, tables of models and
# classes, profiles, and the program's own data. Counted by strace; exit code 77 without it.
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
printf '[classes.mine]\nA = "longhorn-resnet50"\n' > classes.toml
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
  "$mpiexec" "$numproc" 4 strace -ff -e trace=open,openat -o trace.out "$palstudy" run "$folder/study.toml" -o "$what.h5" "$@" \
    < /dev/null > /dev/null 2> err.txt || fail "a campaign of 4 ranks under strace"
  "$palstudy" run study.toml -o alone.h5 --force "$@" 2> err.txt || fail "the same by one process"
  [[ $("$palstudy" digest "$what.h5") == "$("$palstudy" digest alone.h5)" ]] || fail "$what: another digest"
}
once() { for file in "$@"; do [[ $(opens "$file") == 1 ]] || fail "$file was opened $(opens "$file") times"; done; }

counted bundled
once /study.toml /trace.csv "$folder/models.toml" measurements/longhorn-resnet50.csv /runs/longhorn-bert.csv
[[ $(opens kernels/measurements) == 1 ]] || fail "the folder of measurements was listed $(opens kernels/measurements) times"
counted own --set 'cluster.classes="classes.toml"'
once /study.toml /trace.csv "$folder/classes.toml"
"$palstudy" profile import "$source/kernels/measurements/longhorn-resnet50.csv" -o machine.h5 2> err.txt
counted profile --set 'cluster.classes="classes.toml"' --set 'cluster.profile="machine.h5"'
once /study.toml /trace.csv /machine.h5
echo "each input is opened once by 4 ranks"
