#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# disks.sh PALSTUDY MPIEXEC NUMPROC_FLAG LIBRARY [all]
# Disks that fail: at each call that changes a file of a small campaign and its merge it is full from there on,
# fails once, is read-only from there on, or its folder is gone; and writes take only a part. Each time the campaign
# ends well, or with exit code 3 and a message that says what and where; what had ended is kept, and a resume on a
# good disk ends as the archive of a campaign that nothing disturbed. As root, which may have a disk of its own,
# also on one that is really full or read-only. The archive is written in many small pieces: most of those find the
# disk full only; with `all` each fails in each way.
set -euo pipefail
palstudy=$1 mpiexec=$2 numproc=$3 faults=$4 all=${5:-}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# shellcheck source=tests/faults/common.sh
. "$(dirname "$0")/common.sh"
make_study 3 20
undisturbed

# A message says what it is, where, and what to do, in at most six lines.
speaks() { # the cause, as a pattern
  grep -q "^palstudy: .*x[.]h5" "$out/err.txt" || fail "the file is not named"
  grep -qiE "$1" "$out/err.txt" || fail "the cause is not named: $1"
  [[ $(grep -c "^  [^ ]" "$out/err.txt") -ge 1 ]] || fail "what to do is not said"
  [[ $(grep -cvE "info:|^ {17}" "$out/err.txt") -le 6 ]] || fail "more than six lines"
}

fail_at() { # what fails, call, cause, further settings of the library
  local rc=0
  out=$folder/$1-$2
  mkdir "$out"
  harmed 1 FAULT_AT="$2" FAULT_DO="$1" "${@:4}" || rc=$?
  if [[ $rc != 0 ]]; then
    [[ $rc == 3 ]] || fail "exit code $rc of a campaign whose disk fails"
    speaks "$3"
  fi
  if [[ $rc == 0 && ! -e $out/x.h5.parts ]]; then
    holds
  elif [[ $rc != 0 && $(ended) == 0 ]] && ! compgen -G "$out/x.h5*" > /dev/null; then
    cp /dev/null "$out/err-resume.txt"
    resumes 1 0 exactly
  else
    resumes 1 "$(ended)" exactly
  fi
  rm -r "$out"
}

out=$folder/counted
mkdir "$out"
harmed 1 FAULT_AT=0 || fail "the campaign whose calls are counted"
mv "$out/log" "$folder/calls"
kinds=0
while read -r call name _ path; do
  case $name in
    remove | unlink | unlinkat | rmdir) fail_at EROFS "$call" "read-only" FAULT_UNTIL=1000000000 ;;
    *)
      fail_at ENOSPC "$call" "full|no space" FAULT_UNTIL=1000000000 \
        FAULT_CALLS=write,pwrite,writev,open,mkdir,rename,fsync,fdatasync
      kinds=$((kinds + 1))
      [[ -n $all || $path != *.part || $((call % 16)) == 0 ]] || continue
      fail_at EIO "$call" "input/output error"
      fail_at EROFS "$call" "read-only" FAULT_UNTIL=1000000000
      fail_at ENOENT "$call" "no such file" FAULT_UNTIL=1000000000
      ;;
  esac
  [[ $name != *write* ]] || fail_at short "$call" "" FAULT_PART=half
done < "$folder/calls"
echo "$kinds calls failed"

# Shards that can be written but not flushed, which shows while a team is at work on a run and on one rank alone: the
# others do not wait for it, and the exit code is that of a disk.
team_without_fdatasync() {
  local folder=$folder/team study runs want rc=0
  local out=$folder/x further=(--team 2)
  mkdir -p "$out"
  make_study 8 4000
  sed -i 's/^gpus = 16/&\npartitions = 4/' "$study"
  undisturbed
  harmed 2 FAULT_CALLS=fdatasync FAULT_AT=1 FAULT_UNTIL=1000000000 FAULT_DO=EIO || rc=$?
  [[ $rc == 3 ]] || fail "exit code $rc of a team whose shard cannot be flushed"
  sed -i '/^-----/,$d' "$out/err.txt"  # what mpirun adds
  speaks "input/output error"
  resumes 2 "$(ended)" or-more
}
team_without_fdatasync

# A bit of the middle one of three frames, and of a shard's last one cut off: the others are kept.
shard_of() {
  out=$folder/$1
  mkdir "$out"
  "$palstudy" run "$study" -o "$out/x.h5" --slice 1/1 2> "$out/err.txt" || fail "the campaign whose shard is damaged"
  shard=$(echo "$out"/x.h5.parts/*.shard)
  size=$(stat -c %s "$shard")
}
shard_of flipped
printf '\377' | dd of="$shard" bs=1 seek=$((size / 2)) conv=notrunc status=none
resumes 1 2 exactly
grep -q "checksum" "$out/err-resume.txt" || fail "the damage is not told"
shard_of cut
truncate -s $((size - 1)) "$shard"
resumes 1 2 exactly

# A damaged archive that is to grow is refused, and stays; moved away, its runs are made again.
four=(--set 'seed=[1,2,3,4]')
for harm in flip cut; do
  out=$folder/archive-$harm
  mkdir "$out"
  cp "$folder/whole.h5" "$out/x.h5"
  size=$(stat -c %s "$out/x.h5")
  case $harm in
    flip)
      for ((at = size / 4; at < size / 2; at += 512)); do
        printf '\377' | dd of="$out/x.h5" bs=1 seek=$at conv=notrunc status=none
      done
      ;;
    cut) truncate -s $((size / 2)) "$out/x.h5" ;;
  esac
  cp "$out/x.h5" "$out/damaged"
  rc=0
  "$palstudy" verify "$out/x.h5" > "$out/out.txt" 2> "$out/err.txt" || rc=$?
  [[ $rc == 5 ]] || fail "exit code $rc of verify of a damaged archive"
  rc=0
  "$palstudy" run "$study" -o "$out/x.h5" --resume "${four[@]}" > "$out/out.txt" 2> "$out/err.txt" || rc=$?
  [[ $rc == 2 || $rc == 3 ]] || fail "exit code $rc of growth of a damaged archive"
  grep -q "x[.]h5" "$out/err.txt" || fail "the archive is not named"
  cmp -s "$out/x.h5" "$out/damaged" || fail "a damaged archive was touched"
  rm "$out/x.h5"
  "$palstudy" run "$study" -o "$out/x.h5" --resume "${four[@]}" 2> "$out/err.txt" || fail "without the archive"
done

# On a real disk of its own: full at some size, and read-only. Mounted where nobody else sees it.
if [[ $(id -u) != 0 ]] || ! unshare -m true 2> /dev/null; then
  echo "SKIPPED: a file system of its own needs root and unshare; the interposed failures stand for it"
  exit 0
fi
out=$folder/small
mkdir "$out"
export -f fail
# shellcheck disable=SC2016
unshare -m bash -euo pipefail -c '
  palstudy=$1 study=$2 out=$3 want=$4
  mount -t tmpfs -o size=1m none "$out"
  refused() {
    local rc=0
    "$palstudy" run "$study" -o "$out/x.h5" --resume > /dev/null 2> "$out/../err-real.txt" || rc=$?
    [[ $rc == 3 ]] || { cat "$out/../err-real.txt"; echo "FAILED: exit code $rc, $1"; exit 1; }
    grep -q "x[.]h5" "$out/../err-real.txt" && grep -qiE "$2" "$out/../err-real.txt" || {
      cat "$out/../err-real.txt"; echo "FAILED: not said, $1"; exit 1; }
  }
  times=0
  for ((room = 0; room <= 128; room += 8)); do
    dd if=/dev/zero of="$out/filler" bs=1k count=$((1024 - room)) status=none 2> /dev/null || true
    rc=0
    "$palstudy" run "$study" -o "$out/x.h5" > /dev/null 2> "$out/../err-real.txt" || rc=$?
    rm "$out/filler"
    if [[ $rc != 0 ]]; then
      times=$((times + 1))
      [[ $rc == 3 ]] && grep -qiE "full|no space" "$out/../err-real.txt" || {
        cat "$out/../err-real.txt"; echo "FAILED: exit code $rc with $room KiB free"; exit 1; }
      "$palstudy" run "$study" -o "$out/x.h5" --resume 2> "$out/../err-real.txt"
    fi
    [[ $("$palstudy" digest "$out/x.h5") == "$want" && $(find "$out" -name "x.h5*" | wc -l) == 1 ]] || {
      find "$out"; echo "FAILED: another archive, or files left, with $room KiB free"; exit 1; }
    rm "$out/x.h5"
  done
  [[ $times -ge 2 ]] || { echo "FAILED: the disk was full $times times only"; exit 1; }
  mount -o remount,ro "$out"
  refused "read-only" "read-only"
  mount -o remount,rw "$out"
  echo "a real disk was full $times times, and read-only once"
' bash "$palstudy" "$study" "$out" "$want" || exit 1
