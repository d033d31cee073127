#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# build.sh OUT: builds the Debian package of this checkout into the folder OUT, in a copy; --unpacked-only FOLDER makes the copy alone.
set -euo pipefail
[ $# -ge 1 ] || {
  echo "usage: packaging/debian/build.sh OUT" >&2
  exit 2
}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# debian/copyright: what .reuse/dep5 says, and the texts of the licences.
paragraph() { # LICENCE FILE
  printf '\nLicense: %s\n' "$1"
  sed 's/^[[:space:]]*$/./; s/^/ /' "$2"
}
copyright() {
  cat "$root/.reuse/dep5"
  paragraph MIT <(sed -n '/^Permission/,$p' "$root/LICENSES/MIT.txt")
  paragraph CC-BY-4.0 "$root/LICENSES/CC-BY-4.0.txt"
  paragraph Apache-2.0 <(echo "On Debian systems the text is in /usr/share/common-licenses/Apache-2.0.")
}
copy() { # FOLDER
  mkdir -p "$1"
  tar -C "$root" --exclude=./build --exclude=./results --exclude=./.git --exclude=__pycache__ -cf - . | tar -C "$1" -xf -
  cp -R "$1/packaging/debian" "$1/debian"
  rm -f "$1/debian/build.sh"
  copyright >"$1/debian/copyright"
}
if [ "$1" = --unpacked-only ]; then
  copy "$2"
  exit
fi
mkdir -p "$1"
out=$(cd "$1" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
copy "$scratch/palstudy"
cd "$scratch/palstudy"
dpkg-buildpackage --no-sign --build=binary
cp "$scratch"/palstudy*_*.* "$out"
