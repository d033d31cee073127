#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# hosts.sh PALSTUDY SOURCE MPIEXEC LIBRARY [SECONDS [RANKS]]
# Four hosts on one machine, and Open MPI between them over TCP: each is a network, mount, process and IPC namespace with
# its own name, /tmp and /dev/shm, on a link of its own to a bridge; they share one folder. A campaign, a team and a merge
# have the digests of one host. One host is killed in mid-campaign and one in mid-team, and one link is cut for SECONDS (30):
# nothing hangs, and what is resumed has the same digest. A shared folder without locks is refused. With RANKS also so many
# oversubscribed ranks. Two to three minutes; exit code 77: the machine does not allow namespaces.
set -euo pipefail

if [[ $1 != inside && $1 != host ]]; then
  skip() { echo "skipped: $*"; exit 77; }
  [[ $("$3" --version 2> /dev/null) == *open-mpi.org* ]] || skip "the hosts are started as Open MPI starts them, and this is another MPI"
  root=()
  [[ $(id -u) == 0 ]] || root=(--map-root-user)
  spaces=("${root[@]}" --net --mount --uts --ipc --pid --fork --kill-child --mount-proc)
  unshare "${spaces[@]}" true 2> /dev/null || skip "this machine does not allow namespaces (unshare)"
  unshare "${spaces[@]}" sh -c 'mount -t tmpfs none /tmp && ip link add h0 type veth peer name h1 && ip link add b0 type bridge' \
    2> /dev/null || skip "no virtual links (ip link add ... type veth, bridge) or mounts within namespaces"
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  unshare "${spaces[@]}" "$0" inside "$folder" "$@"
  exit
fi

if [[ $1 == host ]]; then  # the first process of a host, which ends with it
  hostname "$2"
  mount -t tmpfs none /tmp
  mount -t tmpfs none /dev/shm
  ip link set lo up
  touch "/mnt/begun.$2"
  while :; do sleep 3600 & wait $!; done
fi

# The head node: it has the bridge, and mpirun runs on it.
# shellcheck disable=SC2034,SC2154  # variables that common.sh takes and gives
folder=$2 palstudy=$3 source=$4 mpiexec=$5 faults=$6 cut_s=${7:-30} many=${8:-}
mount --make-rprivate /
cp "$faults" "$folder/faults.so"
mkdir "$folder/source" "$folder/build"
mount --bind "$folder" /mnt
mount --bind "$source" /mnt/source
mount --bind "$(dirname "$palstudy")" /mnt/build
folder=/mnt palstudy=/mnt/build/$(basename "$palstudy") faults=/mnt/faults.so
export PALSTUDY_DATA=/mnt/source OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# shellcheck source=tests/faults/common.sh
. "$source/tests/faults/common.sh"
hostname head
{ echo "127.0.0.1 localhost"; echo "10.77.0.100 head"; for n in 1 2 3 4; do echo "10.77.0.$n node$n"; done; } > /mnt/hosts
mount --bind /mnt/hosts /etc/hosts
ip link set lo up
# Without an address of its own a bridge takes the lowest of its links: with the link of a host that is begun again it would
# get another, while the other hosts still send to the old one.
ip link add bridge0 address 02:00:00:00:00:64 type bridge
ip address add 10.77.0.100/24 dev bridge0
ip link set bridge0 up

cat > /mnt/agent << 'END_OF_AGENT'
#!/bin/sh
# Takes the place of ssh: HOST COMMAND...
host=$1
shift
cd /mnt
exec nsenter --target "$(cat "/mnt/pid.$host")" --net --mount --uts --ipc --pid -- sh -c "$*"
END_OF_AGENT
chmod +x /mnt/agent

begin_host() { # number
  local name=node$1 child
  rm -f "/mnt/begun.$name"
  unshare --net --mount --uts --ipc --pid --fork --kill-child --mount-proc "$0" host "$name" &
  until [[ -e /mnt/begun.$name ]]; do sleep 0.05; done
  read -r child < "/proc/$!/task/$!/children" || true  # there is no newline
  echo "$child" > "/mnt/pid.$name"
  # The kernel takes the link of a host that was killed away after it, in its own time.
  while ip link show "link$1" > /dev/null 2>&1; do ip link delete "link$1" 2> /dev/null || sleep 0.05; done
  # A host that comes back has the address that the others remember.
  ip link add "link$1" type veth peer name eth0 address "02:00:00:00:00:0$1" netns "$child"
  ip link set "link$1" master bridge0 up
  /mnt/agent "$name" "ip address add 10.77.0.$1/24 dev eth0 && ip link set eth0 up"
  if /mnt/agent "$name" "tc qdisc add dev eth0 root netem delay 0.2ms" 2> /dev/null; then delay="0.2 ms of delay"; fi
}
kill_host() { kill -KILL "$(cat "/mnt/pid.node$1")"; }  # and with its first process all others
delay="no delay (no netem)"
for n in 1 2 3 4; do begin_host $n; done
echo "four hosts, $delay"

# A host without power sends nothing more; by default mpirun asks for a sign of life after 300 s only.
network=(--mca oob_tcp_keepalive_time 5 --mca oob_tcp_keepalive_intvl 1 --mca oob_tcp_keepalive_probes 3)
# shellcheck disable=SC2054  # the commas are Open MPI's
network+=(--mca plm_rsh_agent /mnt/agent --mca plm_rsh_no_tree_spawn 1 --mca pml ob1 --mca btl tcp,self
  --mca btl_tcp_if_include 10.77.0.0/24 --mca oob_tcp_if_include 10.77.0.0/24 --mca mpi_yield_when_idle 1
  --map-by node --bind-to none --oversubscribe)
across() { # number of ranks, dealt to the hosts one after another; then a command
  local ranks=$1
  shift
  timeout --kill-after=5 120 "$mpiexec" "${network[@]}" -H node1:64,node2:64,node3:64,node4:64 -np "$ranks" "$@" < /dev/null
}
same() { # what, archive
  [[ $("$palstudy" digest "$2") == "$want" ]] || fail "$1: another digest"
  [[ ! -e $2.parts ]] || fail "$1: shards are left"
  echo "$1: same digest"
}
in_time() { # seconds, what, process: waits for it, and gives its exit code
  local end=$((SECONDS + $1))
  while kill -0 "$3" 2> /dev/null; do
    ((SECONDS < end)) || fail "$2: hangs"
    sleep 0.1
  done
  wait "$3"
}
out=/mnt

# What is between hosts is between hosts: names, temporary folders and addresses are their own.
# shellcheck disable=SC2016  # the hosts expand it
across 4 sh -c 'echo "$(hostname) $(stat -c %d /tmp /dev/shm | tr "\n" " ")"' > /mnt/names.txt
[[ $(cut -d' ' -f1 /mnt/names.txt | sort -u | wc -l) == 4 && $(cut -d' ' -f2,3 /mnt/names.txt | sort -u | wc -l) == 4 ]] ||
  { cat /mnt/names.txt; fail "ranks are not on four hosts"; }

make_study 40 1500
undisturbed
across 8 "$palstudy" run "$study" -o /mnt/campaign.h5 2> /mnt/err-campaign.txt || fail "a campaign on four hosts"
same "a campaign, 8 ranks" /mnt/campaign.h5
"$palstudy" verify /mnt/campaign.h5 > /dev/null || fail "the archive does not verify"

across 4 "$palstudy" run "$study" -o /mnt/merged.h5 --slice 1/1 2> /mnt/err-slice.txt || fail "a slice on four hosts"
across 4 "$palstudy" merge /mnt/merged.h5 2> /mnt/err-merge.txt || fail "a merge by four hosts"
same "a merge by 4 ranks" /mnt/merged.h5

# Killed as soon as a run is in a shard; then the host is begun again and the campaign resumed on all of them.
begun_runs() { find /mnt/x.h5.parts -name '*.shard' -size +0 2> /dev/null | grep -c . || true; }
wait_for_runs() { # process, shards that must have a run
  until [[ $(begun_runs) -ge $2 ]]; do
    kill -0 "$1" 2> /dev/null || fail "it ended before anything was killed"
    sleep 0.02
  done
}
killed() { # what, ranks, ranks that resume, shards that have a run when it is killed, settings of the campaign
  local what=$1 ranks=$2 resumed=$3 shards=$4 rc=0 began
  shift 4
  across "$ranks" "$palstudy" run "$study" -o /mnt/x.h5 "$@" > /mnt/out.txt 2> /mnt/err-killed.txt &
  local launched=$!
  wait_for_runs $launched "$shards"
  kill_host 3
  began=$SECONDS
  in_time 60 "$what" $launched || rc=$?
  [[ $rc != 0 ]] || fail "$what: ended well, so the host was killed too late"
  [[ ! -e /mnt/x.h5 ]] || fail "$what: there is an archive"
  begin_host 3
  across "$resumed" "$palstudy" run "$study" -o /mnt/x.h5 --resume "$@" 2> /mnt/err-resume.txt || fail "$what: the resume"
  same "$what (exit code $rc after $((SECONDS - began)) s, resumed on $resumed ranks)" /mnt/x.h5
  rm /mnt/x.h5
}
killed "host 3 killed in mid-campaign" 8 4 2

# A link that is cut for a while. In less than the 8 s after which the launcher takes a host for dead, the ranks wait for
# what is on its way and go on; after more it ends them, and the campaign is resumed.
cut() { # seconds, whether the launcher may end the campaign
  local seconds=$1 rc=0 end="it went on"
  across 8 "$palstudy" run "$study" -o /mnt/x.h5 2> /mnt/err-cut.txt &
  local launched=$!
  wait_for_runs $launched 2
  ip link set link2 down
  sleep "$seconds"
  ip link set link2 up
  in_time 120 "a link cut for $seconds s" $launched || rc=$?
  if [[ $rc != 0 ]]; then
    [[ $2 == may-end ]] || fail "a campaign with a link cut for $seconds s"
    across 4 "$palstudy" run "$study" -o /mnt/x.h5 --resume 2> /mnt/err-resume.txt || fail "a link cut for $seconds s: the resume"
    end="exit code $rc, resumed on 4 ranks"
  fi
  same "a link cut for $seconds s in mid-campaign ($end)" /mnt/x.h5
  rm /mnt/x.h5
}
cut 3 goes-on
cut "$cut_s" may-end

# The ranks of a team, one on each host, with a message at each boundary.
make_study 5 60
sed -i 's/^gpus = 16/gpus = 16\npartitions = 4/; s/random-nonsticky/packed-sticky/' "$study"
rm /mnt/whole.h5
undisturbed
across 4 "$palstudy" run "$study" -o /mnt/team.h5 --team 4 2> /mnt/err-team.txt || fail "a team on four hosts"
same "a team of 4 ranks" /mnt/team.h5
killed "host 3 killed in mid-team" 4 4 1 --team 4

# A shared folder without locks.
rc=0
across 4 env FAULT_PATH=/mnt/y.h5 FAULT_LOCKS=ENOLCK LD_PRELOAD="$faults" "$palstudy" run "$study" -o /mnt/y.h5 \
  > /mnt/out.txt 2> /mnt/err-locks.txt || rc=$?
[[ $rc == 3 ]] || fail "exit code $rc without locks"
grep -q "[Nn]o locks available" /mnt/err-locks.txt || fail "the refusal does not name the locks"
[[ -z $(find /mnt -maxdepth 1 -name 'y.h5*') ]] || fail "left over: $(ls -d /mnt/y.h5*)"
echo "a shared folder without locks: refused with exit code 3"

if [[ -n $many ]]; then
  make_study "$many" 60
  rm /mnt/whole.h5
  undisturbed
  began=$SECONDS
  across "$many" "$palstudy" run "$study" -o /mnt/many.h5 2> /mnt/err-many.txt || fail "$many ranks"
  same "$many ranks on four hosts in $((SECONDS - began)) s" /mnt/many.h5
fi
