#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# module.sh MODULECMD SOURCE: loads the modulefile from where it is installed, below a prefix in a folder with a blank in its name.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix="$scratch/pre fix"
mkdir -p "$prefix/share/modulefiles/palstudy" "$prefix/share/palstudy/python" "$prefix/bin"
cp "$2/packaging/modulefiles/palstudy" "$prefix/share/modulefiles/palstudy/1.0.0"
printf '#!/bin/sh\necho found\n' >"$prefix/bin/palstudy"
chmod +x "$prefix/bin/palstudy"
export MODULEPATH=$prefix/share/modulefiles
eval "$("$1" bash load palstudy)"
[ "$(palstudy)" = found ] || exit 1
[[ ":$MANPATH:" == *":$prefix/share/man:"* ]] || exit 1
[[ ":$PYTHONPATH:" == *":$prefix/share/palstudy/python:"* ]] || exit 1
[[ $("$1" bash whatis palstudy 2>&1) == *variability-aware* ]] || exit 1
eval "$("$1" bash unload palstudy)"
[[ ":$PATH:" != *":$prefix/bin:"* ]] || exit 1
echo "module: as expected"
