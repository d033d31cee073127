#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# locks.sh PALSTUDY MPIEXEC NUMPROC_FLAG LIBRARY [PYTHON]
# A file system without locks, where flock and fcntl answer ENOLCK. Whatever reads an archive reads it as elsewhere. A
# campaign and a merge are refused with exit code 3, since nothing would keep two of them apart there; they leave nothing
# behind, and the shards that a merge finds stay as they are.
set -euo pipefail
palstudy=$1 faults=$4 python=${5:-}
mpiexec=$2 numproc=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# shellcheck source=tests/faults/common.sh
. "$(dirname "$0")/common.sh"
make_study 2 20
undisturbed
out=$folder

lockless() { env FAULT_PATH="$folder" FAULT_LOCKS=ENOLCK LD_PRELOAD="$faults" "$@"; }

# The library does what it says.
: > "$folder/any"
if lockless flock --nonblock "$folder/any" true 2> "$folder/err.txt"; then fail "flock works"; fi

cp "$folder/whole.h5" "$folder/other.h5"
for command in "verify whole.h5" "digest whole.h5" "status whole.h5" \
  "export whole.h5 --table jobs" "diff whole.h5 other.h5" "run study.toml -o whole.h5 --resume"; do
  # shellcheck disable=SC2086
  (cd "$folder" && "$palstudy" $command > want.txt 2> /dev/null) || fail "$command where there are locks"
  # shellcheck disable=SC2086
  (cd "$folder" && lockless "$palstudy" $command > got.txt 2> err.txt) || fail "$command without locks"
  cmp "$folder/want.txt" "$folder/got.txt" || fail "$command says something else without locks"
done
if [[ -n $python ]]; then
  lockless env PYTHONPATH="$(dirname "$0")/../../experiments" "$python" -c '
import sys
from report.archive import Archive
Archive(sys.argv[1])' "$folder/whole.h5" 2> "$folder/err.txt" || fail "the report cannot read it"
fi

refused() { # the file whose lock is named, then a command
  local lock=$1 rc=0
  shift
  lockless "$@" > "$folder/out.txt" 2> "$folder/err.txt" || rc=$?
  [[ $rc == 3 ]] || fail "exit code $rc of $2 without locks"
  grep -q "^palstudy: $lock: .*[Nn]o locks available" "$folder/err.txt" || fail "$2 does not name the lock"
  grep -q "^  .*put the output on" "$folder/err.txt" || fail "$2 does not say what to do"
  [[ $(wc -l < "$folder/err.txt") -le 6 ]] || fail "more than six lines of $2"
}
refused "$folder/x.h5.parts/lock" "$palstudy" run "$study" -o "$folder/x.h5"
refused "$folder/x.h5.parts/slices.lock" "$palstudy" run "$study" -o "$folder/x.h5" --slice 1/2
refused "$folder/x.h5.parts/lock" "$palstudy" measure --backend host --quick --kernel triad -o "$folder/x.h5"
left=$(find "$folder" -name 'x.h5*')
[[ -z $left ]] || fail "left over: $left"

for slice in 1/2 2/2; do "$palstudy" run "$study" -o "$folder/x.h5" --resume --slice "$slice" 2> "$folder/err.txt"; done
before=$(cd "$folder/x.h5.parts" && sha256sum -- *.shard)
refused "$folder/x.h5.parts/lock" "$palstudy" merge "$folder/x.h5"
[[ $(cd "$folder/x.h5.parts" && sha256sum -- *.shard) == "$before" ]] || fail "the merge changed the shards"
lockless "$palstudy" status "$folder/x.h5" > "$folder/out.txt" 2> "$folder/err.txt" || fail "status without locks"
"$palstudy" merge "$folder/x.h5" 2> "$folder/err.txt" || fail "the merge where there are locks"
holds
echo "an archive is read without locks"
