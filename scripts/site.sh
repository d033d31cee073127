#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# site.sh [FOLDER]: the pages of docs/ as a site with search, into build/site or FOLDER. It asks nothing of other hosts.
# Ends with 2 if mkdocs or its theme material is missing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
folder=$(realpath -m "${1:-build/site}")
themes='import sys; from mkdocs.utils import get_theme_names; sys.exit("material" not in get_theme_names())'
if ! command -v mkdocs >/dev/null || ! "$(sed -n '1s/^#!//p' "$(command -v mkdocs)" | cut -d' ' -f1)" -c "$themes" 2>/dev/null; then
  echo "site.sh: mkdocs or its theme material is missing: install the packages mkdocs and mkdocs-material (scripts/packages.txt)" >&2
  exit 2
fi
pages=$(mktemp -d)
trap 'rm -rf "$pages"' EXIT
python3 scripts/site_pages.py "$pages"
mkdocs build --strict --quiet --config-file "$pages/mkdocs.yml" --site-dir "$folder"
echo "site: $folder/index.html"
