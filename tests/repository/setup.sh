#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# scripts/setup.sh, with the machine around it replaced: every case runs in a subshell and says what it expects.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=../../scripts/setup.sh
. scripts/setup.sh

fail() {
  echo "setup: $1" >&2
  exit 1
}

# Every line of the list has its five columns, a known section and a known probe; no package stands there twice.
awk '!/^#/ && NF != 5 { exit 1 }' scripts/packages.txt || fail "a line of packages.txt has not five columns"
rows=$(setup_rows build report install test full package coverage)
[ "$(wc -l <<<"$rows")" -eq "$(grep -vc '^#' scripts/packages.txt)" ] || fail "an unknown section in packages.txt"
awk '$2 !~ /^(cmd|hdr|py):/ { exit 1 }' <<<"$rows" || fail "an unknown probe in packages.txt"
[ -z "$(cut -d' ' -f1 <<<"$rows" | sort | uniq -d)" ] || fail "a package stands twice in packages.txt"

# Where everything is installed, nothing is called that could install.
(
  setup_system() { echo "debian 12"; }
  setup_missing_packages() { :; }
  setup_as_root() { fail "apt was called with nothing missing"; }
  setup_packages build
) || exit 1

# On Debian what is missing, and only that, reaches apt.
(
  setup_system() { echo "debian 12"; }
  setup_missing_packages() { echo "libfoo-dev hdr:foo.h foo Foo"; }
  setup_as_root() { echo "$*" >&3; }
  output=$(setup_packages build 3>&1 2>/dev/null </dev/null)
  [[ $output == *"install libfoo-dev" ]] || fail "apt got: $output"
) || exit 1

# Elsewhere the missing ones are named by spack and module, what is there is not, and the exit code is 2.
code=0
output=$(
  setup_system() { echo "rocky 9.4"; }
  setup_rows() { printf '%s\n' "bash cmd:bash bash@5 Bash" "libfoo-dev cmd:no-such-program foo@3: Foo/3"; }
  setup_packages build 2>&1
) || code=$?
[ "$code" -eq 2 ] || fail "exit code $code where 2 was due"
[[ $output == *"foo@3:"*"Foo/3"* ]] || fail "the missing package is not named: $output"
[[ $output != *Bash* ]] || fail "a package that is there is named: $output"

echo "setup: as expected"
