#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# gpus.sh PALSTUDY SOURCE
# measure.sh on a real Slurm with two nodes of two GPUs (in name only): four tasks, one a GPU. With --gpu-bind=none each
# task sees both GPUs of its node (CUDA_VISIBLE_DEVICES names both, or as in Slurm 22.05 is not set, which means all) and
# its place there says which is its own; with --gpus-per-task=1 it sees one, and no two tasks of a node the same. Here the
# program is a stand-in that writes down what it is given, since the real one needs GPUs that are there; after that the real
# one measures cores of the host in their place, in the same job.
set -euo pipefail
palstudy=$1 scripts=$2/slurm-scripts here=$2/tests/slurm
folder=$(mktemp -d)
work="$folder/a folder"
tidy() {
  "$here/slurm-host.sh" down "$folder/slurm"
  rm -rf "$folder"
}
trap tidy EXIT
for name in "${!PALSTUDY_@}" "${!SLURM_@}"; do unset "$name"; done
mkdir "$work"
cd "$work"
fail() {
  cat tasks slurm-logs/* 2>/dev/null || true
  echo "gpus: $*" >&2
  exit 1
}

cat >program <<'END'
#!/usr/bin/env bash
[ "$1 $2" = "measure -o" ] || exit 2
echo "$SLURM_PROCID $SLURMD_NODENAME $SLURM_LOCALID ${CUDA_VISIBLE_DEVICES:-0,1}" >"$3.$SLURM_PROCID"
END
chmod +x program
"$here/slurm-host.sh" up "$folder/slurm" 2 2 2
eval "$("$here/slurm-host.sh" env "$folder/slurm")"
export PALSTUDY=$work/program PALSTUDY_TIME=1

measure() { # binding; what each task was given is in the file `tasks`, by rank
  local id
  id=$("$scripts/measure.sh" -o profile.h5 --nodes 2 --gpus-per-node 2 --gpu-bind "$1")
  sbatch --wait --quiet --time=1 --output=/dev/null --dependency="afterany:$id" --wrap=true
  cat profile.h5.* >tasks || fail "no task has run"
  rm profile.h5.*
}
measure none
[ "$(cat tasks)" = $'0 v1 0 0,1\n1 v1 1 0,1\n2 v2 0 0,1\n3 v2 1 0,1' ] || fail "unbound tasks"
measure task
[ "$(cut -d' ' -f1-3 tasks)" = $'0 v1 0\n1 v1 1\n2 v2 0\n3 v2 1' ] || fail "bound tasks"
[ "$(cut -d' ' -f2,4 tasks | sort -u)" = $'v1 0\nv1 1\nv2 0\nv2 1' ] || fail "two tasks share a GPU"

# Both nodes are one host, so --hosts-of says which ranks pose as one.
id=$(PALSTUDY=$palstudy PALSTUDY_LAUNCH="srun --mpi=pmix" PALSTUDY_TIME=5 "$scripts/measure.sh" -o cores.h5 --nodes 2 \
  --gpus-per-node 2 -- --backend host --hosts-of 2 --kernel sgemm --quick --repeats 1)
sbatch --wait --quiet --time=1 --output=/dev/null --dependency="afterany:$id" --wrap=true
[ -e cores.h5 ] || fail "no profile was written"
grep -qF "4 CPU cores on 2 hosts" "slurm-logs/palstudy-measure-$id.out" || fail "not four cores on two nodes"
echo "gpus: as expected"
