#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# same_digest.sh PALSTUDY SOURCE MPIEXEC NUMPROC_FLAG
# The digest of sia-philly.toml is the same without a launcher and on 1, 2, 3, 4 and 7 ranks, over shared memory and over
# TCP: the result is a function of the study, whoever computes which run and in whatever order they end.
set -euo pipefail
palstudy=$1 source=$2 mpiexec=$3 numproc=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
study=$source/experiments/sia-philly.toml

"$palstudy" run "$study" -o "$folder/alone.h5"
want=$("$palstudy" digest "$folder/alone.h5")
[[ $want =~ ^[0-9a-f]{64}$ ]] || { echo "no digest: $want"; exit 1; }

check() { # name, then the command
  local name=$1 got
  shift
  "$@" run "$study" -o "$folder/$name.h5"
  got=$("$palstudy" digest "$folder/$name.h5")
  [[ $got == "$want" ]] || { echo "$name: $got instead of $want"; exit 1; }
  [[ ! -e $folder/$name.h5.parts ]] || { echo "$name left its shards"; exit 1; }
  echo "$name: same digest"
}
for ranks in 1 2 3 4 7; do
  check "shared-$ranks" "$mpiexec" "$numproc" "$ranks" "$palstudy"
  check "tcp-$ranks" env OMPI_MCA_btl=self,tcp OMPI_MCA_btl_tcp_if_include=lo "$mpiexec" "$numproc" "$ranks" "$palstudy"
done
[[ $("$palstudy" verify "$folder/tcp-7.h5" > /dev/null; echo $?) == 0 ]] || { echo "an archive does not verify"; exit 1; }
[[ $("$palstudy" diff "$folder/alone.h5" "$folder/tcp-7.h5" | head -1) == identical ]] || { echo "diff differs"; exit 1; }
