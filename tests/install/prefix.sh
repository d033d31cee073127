#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# prefix.sh CMAKE BUILD SOURCE: installs into a scratch prefix, hides the source and the build tree behind empty folders (in a
# mount namespace), and uses what is installed: a study gives the digest that it has in the source tree, the report its page,
# a bundle its licences. Exit code 77, a skip, where the machine allows no mount namespace.
set -euo pipefail
fail() {
  echo "install: $1" >&2
  exit 1
}

# A study of the paper's cluster and trace, which are files, and one of measurements and job models, which are names.
published=(--set 'policy.placement=["pal","packed-sticky"]' --set 'workload.trace=["../jobs/traces/sia-philly/continued/sia4.csv"]')
write_study() { # FILE
  cat >"$1" <<'TOML'
[cluster]
gpus = 64
source = "measured"
profile = "longhorn"
[workload]
generator = "philly"
rho = 0.6
[measure]
window_s = 43200
[axes]
"policy.placement" = ["pal", "packed-sticky"]
TOML
}
digests() { # PROGRAM EXPERIMENTS FOLDER
  "$1" run "$2/sia-philly.toml" "${published[@]}" -o "$3/published.h5" 2>/dev/null
  "$1" run "$3/named.toml" -o "$3/named.h5" 2>/dev/null
  "$1" digest "$3/published.h5"
  "$1" digest "$3/named.h5"
}

# Links between installed pages that lead nowhere, but for those to what stays in the sources.
dead_links() { # PREFIX
  local page target
  find "$1" -name '*.md' | while read -r page; do
    # shellcheck disable=SC2016
    { sed '/^```/,/^```/d' "$page" | grep -o '](\([^)# ]*\)' || true; } | cut -c3- | while read -r target; do
      case $target in
        '' | *://* | *CONTRIBUTING.md | *packaging | *packaging/README.md | *tests/*) ;;
        *) [ -e "$(dirname "$page")/$target" ] || echo "${page#"$1"/}: $target" ;;
      esac
    done
  done
}

# Inside of the namespace, where only the prefix is left.
if [ "${1:-}" = --hidden ]; then
  prefix=$2 folder=$3
  shift 3
  for tree in "$@"; do
    mount -t tmpfs none "$tree"
    [ -z "$(ls -A "$tree")" ] || fail "$tree could not be hidden"
  done
  cd "$folder"
  unset PALSTUDY PALSTUDY_DATA PALSTUDY_PROGRAM PALSTUDY_PYTHON PALSTUDY_SITE
  "$prefix/bin/palstudy" init -o mine.toml >/dev/null
  schema=$(sed -n '1s/^#:schema file:\/\///p' mine.toml)
  [ "$schema" -ef "$prefix/share/palstudy/experiments/study.schema.json" ] || fail "init names the schema $schema"
  "$prefix/bin/palstudy" plan mine.toml --quick >/dev/null || fail "the study of init is none"
  digests "$prefix/bin/palstudy" "$prefix/share/palstudy/experiments" "$folder" >"$folder/installed"
  "$prefix/bin/palstudy-report" published.h5 -o page >/dev/null
  [ -s page/index.html ] || fail "palstudy-report made no page"
  "$prefix/bin/palstudy" bundle published.h5 -o bundle >/dev/null
  "$prefix/bin/palstudy" verify bundle >/dev/null || fail "a bundle of the installed program does not verify"
  for text in LICENSES.md LICENSES/MIT.txt; do
    [ -s "bundle/data/$text" ] || fail "a bundle of the installed program has no $text"
  done
  "$prefix/share/palstudy/slurm-scripts/run.sh" "$prefix/share/palstudy/experiments/machine.toml" -o machine.h5 --dry-run >job.sh 2>&1 ||
    fail "run.sh --dry-run: $(cat job.sh)"
  grep -qF "$prefix/bin/palstudy" job.sh || fail "the job of run.sh does not run the installed program"
  exit
fi

cmake=$1 build=$2 source=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/prefix
"$cmake" --install "$build" --prefix "$prefix" >/dev/null

for place in bin/palstudy bin/palstudy-report share/palstudy/experiments/sia-philly.toml share/palstudy/jobs/models.toml \
  share/palstudy/kernels/measurements share/palstudy/hdf5-schemas/archive.json share/palstudy/slurm-scripts/sites \
  share/palstudy/LICENSE share/palstudy/LICENSES.md share/palstudy/experiments/study.schema.json share/doc/palstudy/README.md \
  share/bash-completion/completions/palstudy share/zsh/site-functions/_palstudy share/modulefiles/palstudy; do
  [ -e "$prefix/$place" ] || fail "PREFIX/$place is not installed"
done
if [ -e "$build/man/made" ]; then # where help2man was found
  for page in man1/palstudy.1 man1/palstudy-run.1 man5/palstudy-study.5; do
    [ -s "$prefix/share/man/$page" ] || fail "the page $page is not installed"
  done
  named=$(sed 's/\\-/-/g' "$prefix/share/man/man1/palstudy.1" | grep -o '^\.IR\? PREFIX/[^ ]*' | cut -d/ -f2-)
  [ "$(wc -l <<<"$named")" -gt 9 ] || fail "palstudy(1) names these files only: $named"
  for place in $named; do
    [ -e "$prefix/$place" ] || fail "palstudy(1) names PREFIX/$place, which is not installed"
  done
fi
dead=$(dead_links "$prefix")
[ -z "$dead" ] || fail "links that lead nowhere: $dead"
left=$(grep -rlF -e "$source/" -e "$build/" "$prefix" || true)
[ -z "$left" ] || fail "paths of the source or the build tree stand in $left"

mkdir "$scratch/built" "$scratch/elsewhere"
write_study "$scratch/built/named.toml"
cp "$scratch/built/named.toml" "$scratch/elsewhere"
digests "$build/palstudy" "$source/experiments" "$scratch/built" >"$scratch/expected"
[ "$(wc -l <"$scratch/expected")" -eq 2 ] || fail "the program of the build tree gave no digests"

namespace=(unshare --mount)
[ "$(id -u)" -eq 0 ] || namespace=(unshare --user --map-root-user --mount)
if ! "${namespace[@]}" mount -t tmpfs none "$scratch/built" 2>"$scratch/why"; then
  echo "install: skipped, no mount namespace here: $(cat "$scratch/why")"
  exit 77
fi
cp "$0" "$scratch/hidden.sh" # this file is hidden too
trees=("$source")
[[ $build/ == "$source"/* ]] || trees+=("$build")
cd "$scratch"
"${namespace[@]}" bash "$scratch/hidden.sh" --hidden "$prefix" "$scratch/elsewhere" "${trees[@]}"
diff "$scratch/expected" "$scratch/elsewhere/installed" || fail "the installed program gives other digests"
echo "install: as expected"
