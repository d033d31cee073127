#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# looks.sh PALSTUDY SOURCE MPIEXEC NUMPROC_FLAG
# How many seeds a study with [stop] takes is a function of its data: the same archive at 1, 2 and 3 ranks, in teams, killed or
# stopped in any look and resumed with other ranks, and in slices that merge takes from look to look.
set -euo pipefail
palstudy=$1 mpiexec=$3 numproc=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "$*"; cat "$folder/err.txt"; exit 1; }
expect() { # exit code, then the command
  local want_rc=$1 rc=0
  shift
  "$@" > "$folder/out.txt" 2> "$folder/err.txt" || rc=$?
  [[ $rc == "$want_rc" ]] || fail "exit code $rc instead of $want_rc: $*"
}
says() { grep -qF -- "$1" "$folder/err.txt" || fail "\"$1\" was not said"; }
tells() { tr '\n' ' ' < "$folder/out.txt" | grep -F -- "$1" > /dev/null || { cat "$folder/out.txt"; fail "\"$1\" was not told"; }; }
same() {
  [[ $("$palstudy" digest "$1") == "$want" ]] || fail "$1: another digest"
  [[ ! -e $1.parts ]] || fail "$1.parts was left"
}
on() { local ranks=$1; shift; "$mpiexec" "$numproc" "$ranks" "$palstudy" "$@"; }

# Sixteen GPUs of which three are slow: what a placement that knows them gains depends on the jobs, so on the seed.
awk 'BEGIN { print "gpu_id,node_id,class,score"
             for (g = 0; g < 16; ++g) for (c = 0; c < 4; ++c)
               print g "," int(g / 4) "," substr("ABCD", c + 1, 1) "," (g % 5 == 2 ? 1.5 : 1) }' > "$folder/cluster.csv"
cat > "$folder/study.toml" <<'END'
[study]
name = "looks"
[cluster]
gpus = 16
table = "cluster.csv"
[workload]
generator = "synergy"
jobs_per_h = 1
[measure]
jobs = { first = 0, last = 19 }
[stop]
metric = "jct_mean_s"
relative_half_width = 1
looks = [20, 23, 26, 29]
[axes]
seed = { first = 1, count = 5 }
"policy.placement" = ["pal", "packed-sticky"]
END
study=$folder/study.toml
# A width between those of the looks, as compare has them of plain studies, so that one in between ends the study.
expect 0 "$palstudy" run "$study" -o "$folder/wide.h5"
half() { # archive; the interval's half width, on the scale of logarithms
  "$palstudy" compare "$1" --metric jct_mean_s --json | python3 -c 'import json, sys
[first, *_] = json.load(sys.stdin)["groups"][0]["gains"]
low, high = first["interval"]["alone"]
print((high / low) ** 0.5 - 1)'
}
plain() { # seeds
  sed '/^\[stop\]/,/^looks/d; s/count = 5/count = '"$1"'/' "$study" > "$folder/plain-$1.toml"
  expect 0 "$palstudy" run "$folder/plain-$1.toml" -o "$folder/plain-$1.h5"
}
[[ $("$palstudy" export "$folder/wide.h5" --table runs | wc -l) == 41 ]] || fail "any width is enough: twenty seeds"
best=0 width=''
for seeds in 20 23 26 29; do
  plain $seeds
  now=$(half "$folder/plain-$seeds.h5")
  echo "$seeds seeds: within $now"
  # A look between the first and the last that is narrower than all before it; the width lies between it and those.
  [[ $seeds != 29 ]] || break
  if [[ -z ${least:-} ]] || awk "BEGIN { exit !($now < $least) }"; then
    [[ -z ${least:-} ]] || { best=$seeds; width=$(awk "BEGIN { print ($now + $least) / 2 }"); }
    least=$now
  fi
done
[[ -n $width ]] || fail "no look in between is narrower than the first"
sed -i "s/^relative_half_width = .*/relative_half_width = $width/" "$study"
echo "within $width: $best seeds"
want=$("$palstudy" digest "$folder/plain-$best.h5")

# The archive is that of the plain study with so many seeds.
expect 0 "$palstudy" run "$study" -o "$folder/alone.h5"
same "$folder/alone.h5"
says "narrow enough"
expect 0 "$palstudy" verify "$folder/alone.h5"
expect 0 "$palstudy" compare "$folder/alone.h5"
tells "[stop] looked at 20"
tells "91 to 95 % of"
expect 0 "$palstudy" status "$folder/alone.h5"
tells "narrow enough"
for ranks in 1 2 3; do
  expect 0 on $ranks run "$study" -o "$folder/ranks-$ranks.h5"
  same "$folder/ranks-$ranks.h5"
done
expect 0 on 4 run "$study" -o "$folder/teams.h5" --team 2
same "$folder/teams.h5"

# What the archive keeps runs again to the same archive, and a resume of it has nothing to do.
"$palstudy" export "$folder/alone.h5" --table runs > "$folder/runs.csv"
[[ $(wc -l < "$folder/runs.csv") == $((2 * best + 1)) ]] || fail "other runs than those of $best seeds"
expect 0 on 2 run "$study" -o "$folder/alone.h5" --resume
says "nothing was missing"

# The plan: least and most; without any shards a dry run says the first look.
expect 0 "$palstudy" plan "$study"
tells "40 runs at least"
tells "58 runs at 2 points: "
expect 0 "$palstudy" run "$study" -o "$folder/none.h5" --dry-run
tells "look 1 of 4, at 20 seeds"

# Stopped at once, over and over, with other ranks each time: in the first look, and in those that come after it. No run
# ends in half of that limit, so a look of more runs than ranks is never done in it.
for slice in 1/3 2/3 1/1; do
  expect 0 "$palstudy" run "$study" -o "$folder/limit.h5" --resume --slice $slice
  for ranks in 1 2 3; do
    expect 4 on $ranks run "$study" -o "$folder/limit.h5" --resume --time-limit 0.0001
    [[ ! -e $folder/limit.h5 ]] || fail "an archive of a stopped campaign"
  done
done
says "look 2 of 4, at 23 seeds"
expect 0 on 2 run "$study" -o "$folder/limit.h5" --resume
same "$folder/limit.h5"

# Killed at some moment: what the shards say, and nothing else, tells where to go on.
for after in 0.2 0.5; do
  rm -rf "$folder/killed.h5" "$folder/killed.h5.parts"
  timeout --signal=KILL $after "$mpiexec" "$numproc" 2 "$palstudy" run "$study" -o "$folder/killed.h5" \
    > "$folder/out.txt" 2>&1 || true
  [[ -e $folder/killed.h5 && ! -e $folder/killed.h5.parts ]] || expect 0 on 3 run "$study" -o "$folder/killed.h5" --resume
  same "$folder/killed.h5"
done

# Slices do their share of the planned look; merge takes the look, and ends with 4 and the next plan until it is narrow.
expect 0 "$palstudy" run "$study" -o "$folder/slices.h5" --slice 1/2
says "look 1 of 4, at 20 seeds"
expect 4 "$palstudy" merge "$folder/slices.h5"
says "20 of 40 runs of look 1 of 4"
rc=4 rounds=0
while ((rc == 4)); do
  for slice in 1 2; do
    "$palstudy" run "$study" -o "$folder/slices.h5" --resume --slice $slice/2 2> "$folder/err.txt" || fail "slice $slice"
  done
  rc=0
  on 2 merge "$folder/slices.h5" 2> "$folder/err.txt" || rc=$?
  ((++rounds < 5)) || fail "never ends"
  if ((rc == 4)); then
    says "goes on with look $((rounds + 1)) of 4"
    expect 0 "$palstudy" status "$folder/slices.h5"
    tells "look $((rounds + 1)) of 4"
    expect 0 "$palstudy" run "$study" -o "$folder/slices.h5" --dry-run
    tells "look $((rounds + 1)) of 4"
  fi
done
((rc == 0 && rounds == (best - 17) / 3)) || fail "exit code $rc after $rounds rounds"
same "$folder/slices.h5"

# A width that is never met goes to the last look, and says so; one process may go on where slices were.
expect 0 "$palstudy" run "$study" -o "$folder/last.h5" --slice 2/3 --set stop.relative_half_width=1e-6
expect 0 on 2 run "$study" -o "$folder/last.h5" --resume --set stop.relative_half_width=1e-6
says "not narrow enough at the last look"
want=$("$palstudy" digest "$folder/plain-29.h5")
same "$folder/last.h5"
echo "looks: as expected"
