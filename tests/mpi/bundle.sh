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

# Inputs that gzip has packed: openly they stay as they are; anonymously they are unpacked, for what is packed cannot be
# without names, and the campaign is the same. The trace lies on an axis, whose values the digest covers; the table of
# the cluster, whose path is taken away, tells hosts, and its name does not say that it is a table.
mkdir packed
awk 'BEGIN { print "gpu_id,node_id,class,score,host"
             for (g = 0; g < 16; ++g) print g "," int(g / 4) ",A," 1 + g % 7 / 10 ",secret-host-" int(g / 4) }' \
  | gzip -n > packed/nodes.gz
awk 'BEGIN { print "job_id,submit_s,num_gpus,iterations,iteration_s,class,user"
             for (j = 0; j < 40; ++j) print j "," 20 * j "," 1 + j % 4 "," 100 + 37 * j % 900 ",1,A,secret-user-" j % 3 }' \
  | gzip -n > packed/trace.csv.gz
cat > packed/study.toml <<'END'
[cluster]
gpus = 16
table = "nodes.gz"
[workload]
reader = "native"
[axes]
"workload.trace" = ["trace.csv.gz"]
"policy.placement" = ["pal", "packed-sticky"]
END
sed 's/^reader.*/&\ntrace = "trace.csv.gz"/; /workload.trace/d' packed/study.toml > packed/off.toml
for study in study off; do
  "$palstudy" run "packed/$study.toml" -o "packed/$study.h5"
  want=$("$palstudy" digest "packed/$study.h5")
  "$palstudy" bundle "packed/$study.h5" -o "packed/$study-open"
  "$palstudy" bundle "packed/$study.h5" -o "packed/$study-blind" --anonymous
  cmp "packed/trace.csv.gz" "packed/$study-open/inputs/trace.csv.gz" || fail "an open input is not what it was"
  if grep -rlaE 'secret-(host|user)' "packed/$study-blind"; then fail "names are told"; fi
  find "packed/$study-blind/inputs" -type f | while read -r input; do
    if gzip -t "$input" 2> /dev/null; then fail "$input is still packed"; fi
  done
  for bundle in open blind; do
    "$palstudy" verify "packed/$study-$bundle/archive.h5" || fail "packed inputs, $bundle: the archive does not verify"
    "$palstudy" run "packed/$study-$bundle" -o again.h5 --force
    [[ $("$palstudy" digest again.h5) == "$want" ]] || fail "packed inputs, $study, $bundle: another digest"
  done
done
echo "bundles repeat their campaign"
