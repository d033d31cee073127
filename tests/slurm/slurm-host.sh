#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# slurm-host.sh up FOLDER [NODES [CPUS [GPUS]]] | env FOLDER | down FOLDER
#
# A real Slurm for a test: munged, slurmctld and NODES slurmd on this host, on ports that are free, without systemd, as
# the user who calls, with everything that they write in FOLDER (its path short: a socket stands there). `env` prints
# what a shell has to evaluate to speak with it, `down` ends these daemons by their pid files. GPUs are links to
# /dev/null: Slurm counts and hands them out, nothing more.
set -euo pipefail
(($# >= 2)) || { sed -n '3,4s/^# //p' "$0" >&2; exit 2; }
verb=$1
mkdir -p "$2"
home=$(cd "$2" && pwd)
nodes=${3:-2} cpus=${4:-2} gpus=${5:-0}
export SLURM_CONF=$home/slurm.conf
PATH=$PATH:/usr/sbin:/sbin

fail() {
  echo "slurm-host: $1" >&2
  tail -n 5 "$home"/log/* >&2 2>/dev/null || true
  exit 1
}

# The first of `count` ports in a row on which nothing answers.
free_ports() { # count
  local first port
  for _ in {1..50}; do
    first=$((20000 + RANDOM % 10000))
    for ((port = first; port < first + $1; ++port)); do
      ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || continue 2
    done
    echo "$first"
    return
  done
  fail "no free ports"
}

configure() {
  local port host who i gres=''
  port=$(free_ports $((nodes + 1)))
  host=$(hostname -s)
  who=$(id -un)
  ((gpus == 0)) || gres=" Gres=gpu:none:$gpus"
  cat >"$SLURM_CONF" <<CONF
ClusterName=palstudy
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=$who
SlurmdUser=$who
# A job that is queued again waits until its credential has expired: 120 s, unless one says so.
AuthType=auth/munge
AuthInfo=socket=$home/munge/socket,cred_expire=5
CredType=cred/munge
StateSaveLocation=$home/state
SlurmdSpoolDir=$home/spool/%n
# One for each node, else the steps of two nodes on one host meet in the same folder of PMIx.
TmpFS=$home/tmp/%n
SlurmctldPidFile=$home/run/slurmctld.pid
SlurmdPidFile=$home/run/slurmd-%n.pid
SlurmctldLogFile=$home/log/slurmctld
SlurmdLogFile=$home/log/slurmd-%n
# Nothing that needs cgroups, a database or a daemon of the system.
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SwitchType=switch/none
ReturnToService=2
SlurmdParameters=config_overrides
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,bf_interval=1,sched_interval=1,sched_min_interval=1
KillWait=5
MinJobAge=3600
MaxArraySize=${PALSTUDY_TEST_MAX_ARRAY:-1001}
GresTypes=gpu
PropagateResourceLimits=NONE
PartitionName=test Nodes=v[1-$nodes] Default=YES MaxTime=60 State=UP
CONF
  for ((i = 1; i <= nodes; ++i)); do
    echo "NodeName=v$i NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + i)) CPUs=$cpus Sockets=1" \
      "CoresPerSocket=$cpus ThreadsPerCore=1 RealMemory=1000$gres State=UNKNOWN"
  done >>"$SLURM_CONF"
  # Slurm drops GPUs without a device, and asks of a device no more than that it is one.
  for ((i = 0; i < gpus; ++i)); do ln -s /dev/null "$home/dev/gpu$i"; done
  ((gpus == 0)) || echo "NodeName=v[1-$nodes] Name=gpu Type=none File=$home/dev/gpu[0-$((gpus - 1))]" >"$home/gres.conf"
  # It is read even where nothing uses cgroups, and must not mount any.
  printf '%s\n' CgroupPlugin=cgroup/v1 CgroupAutomount=no >"$home/cgroup.conf"
}

up() {
  local i
  [ ! -e "$home/run" ] || fail "$home is in use; down ends it"
  mkdir -p "$home"/{munge,state,run,log,dev} "$home"/spool "$home"/tmp
  chmod 711 "$home/munge"
  head -c 1024 /dev/urandom >"$home/munge/key"
  chmod 400 "$home/munge/key"
  configure
  munged --force --key-file="$home/munge/key" --seed-file="$home/munge/seed" --socket="$home/munge/socket" \
    --pid-file="$home/run/munged.pid" --log-file="$home/log/munged"
  slurmctld -i
  for ((i = 1; i <= nodes; ++i)); do
    mkdir -p "$home/spool/v$i" "$home/tmp/v$i"
    slurmd -N "v$i"
  done
  for _ in {1..150}; do
    [ "$(sinfo -h -t idle -o %D 2>/dev/null || true)" != "$nodes" ] || return 0
    read -rt 0.2 <> <(:) || true
  done
  fail "the nodes are not idle after 30 s"
}

# Ends a daemon of ours; one that does not go within 10 s is killed.
end_daemon() { # pid file
  local pid
  [ -s "$1" ] || return 0
  pid=$(<"$1")
  kill "$pid" 2>/dev/null || return 0
  for _ in {1..100}; do
    kill -0 "$pid" 2>/dev/null || return 0
    read -rt 0.1 <> <(:) || true
  done
  kill -KILL "$pid" 2>/dev/null || true
}

down() {
  local file
  # The jobs first, while there is somebody to end them.
  if [ -s "$home/run/slurmctld.pid" ]; then
    scancel --user "$(id -un)" 2>/dev/null || true
    for _ in {1..100}; do
      [ -n "$(squeue -h 2>/dev/null || true)" ] || break
      read -rt 0.1 <> <(:) || true
    done
  fi
  for file in "$home"/run/slurmd-*.pid "$home"/run/slurmctld.pid "$home"/run/munged.pid; do end_daemon "$file"; done
}

case $verb in
  up) up ;;
  down) down ;;
  env)
    printf 'export SLURM_CONF=%q\n' "$SLURM_CONF"
    # All nodes are this host, so two of them must not take each other's shared memory for their own; and all tasks share
    # its cores. Without UCX, as palstudy chooses where nothing is set: loading it replaces mmap and munmap in a process
    # that already has a thread of PMIx, and a task has crashed in its start so.
    echo "export OMPI_MCA_btl=self,tcp OMPI_MCA_osc=^sm,ucx OMPI_MCA_btl_tcp_if_include=lo OMPI_MCA_oob_tcp_if_include=lo"
    echo "export OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_pml=ob1 OMPI_MCA_hwloc_base_binding_policy=none"
    echo "export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"
    ;;
  *) fail "$verb is none of up, env, down" ;;
esac
