#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# advice.sh PALSTUDY SOURCE
# What `palstudy advise --slurm` writes, given to a real slurmctld. Its site has two nodes with a slurmd, of which the one
# that Slurm prefers is slow, and eight that slurmctld knows by name alone, on lines with ranges, lists and a default. What is
# shown: weights hold until slurmctld is configured again or started, as weights.sh says; with nodes.conf in place of the
# site's lines they stay, and all else of each node is as it was; a job then gets the fast node; nodes are drained with their
# reasons, stay so, and come back by the lines that drain.sh ends with.
set -euo pipefail
palstudy=$1 here=$2/tests/slurm
folder=$(mktemp -d)
work="$folder/a folder" advice="$folder/a folder/for slurm"
tidy() {
  "$here/slurm-host.sh" down "$folder/slurm"
  rm -rf "$folder"
}
trap tidy EXIT
for name in "${!PALSTUDY_@}" "${!SLURM_@}"; do unset "$name"; done
mkdir "$work"
cd "$work"
export PATH=$PATH:/usr/sbin:/sbin

write_advice() { "$palstudy" advise "$1" --slurm "$2"; } # study folder

fail() {
  tail -n 20 "$folder/slurm/log/slurmctld" "$advice"/* 2>/dev/null || true
  echo "advice: $*" >&2
  exit 1
}
same() { diff "$1" "$2" >&2 || fail "$3"; } # expected found what
pause() { read -rt 0.1 <> <(:) || true; }
restart_controller() {
  local pid
  pid=$(<"$folder/slurm/run/slurmctld.pid")
  kill "$pid"
  for _ in {1..200}; do
    kill -0 "$pid" 2>/dev/null || break
    pause
  done
  slurmctld || fail "slurmctld does not start"
  for _ in {1..200}; do
    ! scontrol ping >/dev/null 2>&1 || return 0
    pause
  done
  fail "slurmctld does not answer"
}
nodes() { scontrol --oneliner show node; }
weights() { nodes | sed -n 's/^NodeName=\([^ ]*\) .* Weight=\([0-9]*\) .*/\1 \2/p' | sort; }
all_else() {
  nodes | grep -oE '(NodeName|CPUTot|AvailableFeatures|Gres|NodeAddr|NodeHostName|Port|RealMemory|Sockets)=[^ ]*'
}
weight_of() { awk -v node="$1" '$1 == node { print $2 }' "$2"; } # node file
reason_of() { scontrol --oneliner show node "$1" | sed -n 's/.* Reason=\(.*\) \[.*/\1/p'; }
is_drained() { scontrol --oneliner show node "$1" | grep -qE ' State=[^ ]*DRAIN'; }
where_a_job_runs() {
  for _ in {1..300}; do
    [ "$(sinfo -h -N -n v1,v2 -t idle -o %N | wc -l)" != 2 ] || break
    pause
  done
  # shellcheck disable=SC2016
  sbatch --wait --quiet --time=1 --gres=gpu:1 --output=job.out --wrap='echo "$SLURMD_NODENAME"' || fail "no job runs"
  cat job.out
}

# --- The site: its Slurm, and its benchmark of two days, in which g03 and v1 are slow.
"$here/slurm-host.sh" up "$folder/slurm" 2 2 2
eval "$("$here/slurm-host.sh" env "$folder/slurm")"
host=$(hostname -s)
sed -i 's/^PartitionName=test Nodes=[^ ]*/PartitionName=test Nodes=ALL/' "$SLURM_CONF"
cat >>"$SLURM_CONF" <<CONF
NodeName=DEFAULT CPUs=2 Gres=gpu:none:2 RealMemory=1000 State=UNKNOWN # of the racks
nodename=g[01-04] NodeAddr=127.0.0.1 NodeHostname=$host Port=[7001-7004] weight = 5 Feature="rack1,a" \\
  Sockets=2 # the first
NodeName=DEFAULT Weight=6
NodeName=g08,g[05-07] NodeAddr=127.0.0.[8,5-7] NodeHostname=$host Port=[7008,7005-7007] Feature=rack2
CONF
restart_controller
cp "$SLURM_CONF" slurm.conf
for day in 1 2; do
  echo host,gpu,kernel,time_ms
  for node in v1 v2 g0{1..8}; do
    for gpu in 0 1; do
      case $node.$gpu in
        v1.0) time=140 ;;
        g03.1) time=250 ;;
        *) time=$((100 + (10#${node:1} * 3 + gpu) % 5)) ;;
      esac
      for repeat in 1 2 3; do echo "$node,$gpu,bench,$time.$day$repeat"; done
    done
  done
done | awk -F, '$1 == "host" { ++day } { print > ("day" day ".csv") }'
"$palstudy" profile import day1.csv day2.csv -o machine.h5
cat >classes.toml <<'END'
[classes.mine]
A = "bench"
B = "bench"
C = "bench"
D = "bench"
END
cp "$here/advice.toml" site.toml
write_advice site.toml "$advice"
for name in weights.sh nodes.conf drain.sh users.txt; do [ -s "$advice/$name" ] || fail "there is no $name"; done

# --- What the site had, and what it is to have: the lists are read by Slurm.
weights >sites
all_else >sites-else
while read -r list weight; do
  scontrol show hostnames "$list" | sed "s/\$/ $weight/"
done < <(sed -n 's/^scontrol update NodeName=\([^ ]*\) Weight=\([0-9]*\)$/\1 \2/p' "$advice/weights.sh") | sort >advised
join -v 1 advised sites | grep . && fail "weights of nodes that Slurm does not have"
join -a 1 sites advised | awk '{ print $1, $NF }' >wanted
! cmp -s sites wanted || fail "the advice changes no weight"
for pair in v2:v1 g01:g03; do
  (($(weight_of "${pair%:*}" wanted) < $(weight_of "${pair#*:}" wanted))) || fail "$pair: the slow node is not the heavier"
done
[ "$(where_a_job_runs)" = v1 ] || fail "without advice a job does not get the first node"

# --- weights.sh: at once, and until slurmctld reads its file again.
for forget in "scontrol reconfigure" restart_controller; do
  "$advice/weights.sh" || fail "weights.sh"
  weights >found
  same wanted found "weights.sh has not set the weights"
  [ "$(where_a_job_runs)" = v2 ] || fail "a job does not get the fast node"
  $forget || fail "$forget"
  weights >found
  same sites found "the weights of weights.sh outlast: $forget"
done

# --- nodes.conf in place of the NodeName lines.
awk 'tolower($0) ~ /^[ \t]*nodename/ { node = 1 }
     !node { print }
     node && !/\\$/ { node = 0 }' slurm.conf >without
! grep -qi '^ *nodename' without || fail "NodeName lines are left"
{ cat without && cat "$advice/nodes.conf"; } >"$SLURM_CONF"
for act in "scontrol reconfigure" restart_controller "scontrol reconfigure"; do
  $act || fail "with nodes.conf: $act"
  weights >found
  same wanted found "nodes.conf does not give the weights after: $act"
  all_else >found-else
  same sites-else found-else "nodes.conf changes more than weights"
done
! grep -F "specified more than once" "$folder/slurm/log/slurmctld" || fail "a line of nodes.conf has two weights"
[ "$(where_a_job_runs)" = v2 ] || fail "a job does not get the fast node"

# --- drain.sh: the reason as it is written there, until its last lines are run.
sed -n 's/^scontrol update NodeName=\([^ ]*\) State=DRAIN Reason="\(.*\)"$/\1 \2/p' "$advice/drain.sh" >drains
grep -q '^g03 ' drains || fail "the slowest node is not drained"
grep -vF -f <(cut -d' ' -f1 drains) <(cut -d' ' -f1 sites) >others || true
"$advice/drain.sh" || fail "drain.sh"
for act in true "scontrol reconfigure" restart_controller; do
  $act
  while read -r node reason; do
    is_drained "$node" || fail "$node is not drained after: $act"
    [ "$(reason_of "$node")" = "$reason" ] || fail "the reason of $node is: $(reason_of "$node")"
  done <drains
  while read -r node; do ! is_drained "$node" || fail "$node is drained"; done <others
done
sed -n 's/^# \(scontrol update .*State=RESUME\)$/\1/p' "$advice/drain.sh" >back.sh
[ -s back.sh ] || fail "drain.sh does not say how to put nodes back"
# Slurm puts nodes back that no slurmd has answered for, and calls that an invalid state all the same.
bash back.sh 2>errors.txt || grep -q "Invalid node state specified" errors.txt || fail "$(cat errors.txt)"
while read -r node _; do ! is_drained "$node" || fail "$node is not put back"; done <drains
weights >found
same wanted found "the weights are lost"
echo "advice: as expected"
