#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# generate-docs.sh [--check] [PALSTUDY]: writes docs/reference/*.md and experiments/study.schema.json from what the program
# says of itself (`palstudy list`); with --check only says whether the files are what it would write.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
check=
if [ "${1:-}" = --check ]; then
  check=yes
  shift
fi
palstudy=${1:-build/release/palstudy}
target=docs/reference
schema=experiments/study.schema.json
if [ -n "$check" ]; then
  target=$(mktemp -d)
  trap 'rm -rf "$target"' EXIT
  schema=$target/schema
fi

title() {
  case $1 in
    keys) echo "Keys of a study file" ;;
    tables) echo "Tables of an archive" ;;
    columns) echo "Columns of an archive" ;;
    metrics) echo "Metrics" ;;
    schedulers) echo "Schedulers: which jobs start, stop and move" ;;
    orders) echo "Order policies: who is next" ;;
    backfills) echo "Backfills: what becomes of those behind a job that does not fit" ;;
    sources) echo "Cluster sources: where the slowdowns of GPUs come from" ;;
    knowledge) echo "Knowledge: what the policies believe the slowdowns to be" ;;
    placements) echo "Placement policies: which GPUs" ;;
    routings) echo "Routing policies: which partition" ;;
    effects) echo "Effects: what jobs feel beside slowdown and locality penalty" ;;
    predictors) echo "Predictors of GPU time" ;;
    readers) echo "Trace readers" ;;
    importers) echo "Importers: what profile import reads" ;;
    generators) echo "Workload generators" ;;
    models) echo "Job models" ;;
    kernels) echo "Measuring kernels" ;;
    rules) echo "Rules that power nodes off" ;;
    forecasts) echo "Forecasts of the nodes in use" ;;
    features) echo "Features of a run on which it depends what goes together" ;;
    notes) echo "Notes: what a reader should know about a result" ;;
    together) echo "What does not go together: every other pair of features does" ;;
  esac
}

mkdir -p "$target"
for kind in keys tables columns metrics sources knowledge schedulers orders backfills placements routings effects predictors readers importers generators models kernels rules forecasts features together notes; do
  {
    echo "<!-- Written by scripts/generate-docs.sh from \`palstudy list $kind\`; do not edit. -->"
    echo "# $(title $kind)"
    echo
    "$palstudy" list "$kind" --markdown
    [ "$kind" != notes ] || "$palstudy" explain --markdown
  } >"$target/$kind.md"
done
"$palstudy" list keys --schema >"$schema"
if [ -n "$check" ] && ! cmp experiments/study.schema.json "$schema"; then
  echo "experiments/study.schema.json is not what the program says: run scripts/generate-docs.sh and commit the result." >&2
  exit 1
fi
rm -f "$target/schema"
if [ -n "$check" ] && ! diff -ru docs/reference "$target"; then
  echo "docs/reference is not what the program says: run scripts/generate-docs.sh and commit the result." >&2
  exit 1
fi
