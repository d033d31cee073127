#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# python-style.sh [--check]: formats every Python file of ours with black, or only says what it would change; then checks
# their types with mypy.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
options=(--quiet)
[ "${1:-}" != --check ] || options=(--check --diff --quiet)
mapfile -t folders < <(find . \( -path ./build -o -path ./.git \) -prune -o -name '*.py' -printf '%h\n' | sort -u)
for folder in "${folders[@]}"; do black "${options[@]}" "$folder"/*.py; done
# A script imports those beside it, so that each folder is a program of its own; a package is checked from above it. Spack
# brings the names of its recipes.
for folder in "${folders[@]}"; do
  if [ -e "$folder/__init__.py" ] || [[ $folder == */spack/* ]]; then continue; fi
  (cd "$folder" && mypy --config-file "$OLDPWD/pyproject.toml" --cache-dir "$OLDPWD/.cache/mypy" --no-error-summary -- *.py)
done
mypy --no-error-summary --cache-dir .cache/mypy -- experiments/report
