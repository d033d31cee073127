#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# bundle.sh PALSTUDY SOURCE MPIEXEC NUMPROC_FLAG
# A campaign of two ranks is bundled, openly and anonymously; the bundles are repeated on one rank and on two, stopped in
# between by slices, and give the digest of the campaign. The experiment's inputs lie above its study.
set -euo pipefail
palstudy=$1 source=$2 mpiexec=$3 numproc=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "$*"; exit 1; }

cd "$folder"
"$mpiexec" "$numproc" 2 "$palstudy" run "$source/experiments/sia-philly.toml" -o out.h5
want=$("$palstudy" digest out.h5)
"$palstudy" bundle out.h5 -o open
"$palstudy" bundle out.h5 -o blind --anonymous
[[ $("$palstudy" digest blind/archive.h5) == "$want" ]] || fail "the anonymous archive has another digest"
for bundle in open blind; do
  for ranks in 1 2; do
    "$mpiexec" "$numproc" "$ranks" "$palstudy" run "$bundle" -o "$bundle-$ranks.h5"
    [[ $("$palstudy" digest "$bundle-$ranks.h5") == "$want" ]] || fail "$bundle on $ranks ranks: another digest"
    [[ $("$palstudy" diff "$bundle/archive.h5" "$bundle-$ranks.h5" | head -1) == identical ]] || fail "$bundle: diff differs"
  done
  # What a later command takes up from the shards has to find the inputs of the bundle again.
  "$palstudy" run "$bundle" -o "$bundle-slices.h5" --slice 1/2
  "$palstudy" run "$bundle" -o "$bundle-slices.h5" --slice 2/2
  "$palstudy" merge "$bundle-slices.h5"
  [[ $("$palstudy" digest "$bundle-slices.h5") == "$want" ]] || fail "$bundle by slices: another digest"
done
echo "bundles repeat their campaign"
