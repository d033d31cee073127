#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# man-pages.sh PALSTUDY FOLDER [REPORT]: writes palstudy(1), a page of section 1 for each sub-command (palstudy-run(1), also
# palstudy-profile-show(1)) and palstudy-report(1) by help2man from --help, and palstudy-study(5) from `palstudy list keys`.
set -euo pipefail
palstudy=$1 folder=$2 report=${3:-}
version=$("$palstudy" --version | awk 'NR == 1 { print $2 }')
export LC_ALL=C SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-0} # the date in a page is of no use, and would differ by build
mkdir -p "$folder/man1" "$folder/man5"

# The first line of --help, which is the page's name; the rest is as help2man reads it.
summary_of() { "$palstudy" "$@" --help | awk 'NR == 1 { sub(/\.$/, ""); print; exit }'; }

page() { # COMMAND...
  local name=palstudy word
  for word in "$@"; do name+=-$word; done
  "$palstudy" "$@" --help | sed '1d; s/^  \(-[a-zA-Z]\),--/  \1, --/; s/^Positionals:/Arguments:/' >"$scratch/help"
  printf '#!/bin/sh\ncat "%s"\n' "$scratch/help" >"$scratch/$name"
  chmod +x "$scratch/$name"
  {
    printf '[SEE ALSO]\n'
    if [ $# -eq 0 ]; then
      "$palstudy" complete -- '' | awk -F '\t' '{ printf ".BR palstudy-%s (1),\n", $1 }'
      printf '.BR palstudy-report (1),\n.BR palstudy-study (5)\n'
    else
      printf '.BR palstudy (1),\n.BR palstudy-study (5)\n'
    fi
  } >"$scratch/also"
  write_page "$name" "$(summary_of "$@")"
}
write_page() { # NAME SUMMARY
  help2man --no-info --no-discard-stderr --name "$2" --version-string "$version" --source "palstudy $version" \
    --manual palstudy --include "$scratch/also" "$scratch/$1" | sed '2s/"January 1970"/""/' >"$folder/man1/$1.1"
}

# All sub-commands below one, depth first; options and files are none.
commands_below() { # COMMAND...
  local name
  while IFS=$'\t' read -r name _; do
    "$palstudy" "$@" "$name" --help 2>/dev/null | grep -q "^Usage: palstudy ${*:+$* }$name " || continue
    echo "${*:+$* }$name"
    if "$palstudy" "$@" "$name" --help | grep -q '^Subcommands:'; then commands_below "$@" "$name"; fi
  done < <("$palstudy" complete -- "$@" '')
}

study_page() {
  printf '.TH PALSTUDY-STUDY 5 "" "palstudy %s" palstudy\n.SH NAME\npalstudy-study \\- the study file of palstudy\n' "$version"
  cat <<'TROFF'
.SH DESCRIPTION
A study is one TOML file. Keys stand in tables:
.B placement
in the table
.B [policy]
is the key
.B policy.placement
below. A key that takes several values is an axis and stands under
.BR [axes] ,
with its full name in quotes and a list, or for integers a range:
.PP
.nf
    [axes]
    "seed" = { first = 1, count = 20 }
    "policy.placement" = ["pal", "packed\-sticky"]
.fi
.PP
The runs are the product of the axes. Paths are relative to the study file. A key that is none is an error.
.B palstudy init
prints a study to begin from.
.SH KEYS
TROFF
  "$palstudy" list keys --markdown | awk '
    function escaped(text) { gsub(/\\\|/, "|", text); gsub(/\\/, "\\e", text); gsub(/-/, "\\-", text); gsub(/\047/, "\\(aq", text)
                             if (text ~ /^\./) text = "\\&" text; return text }
    NR > 2 {
      sub(/^\| /, ""); sub(/ \|$/, "")
      count = split($0, cell, / \| /)
      printf ".TP\n.B %s\n%s\n", escaped(cell[1]), escaped(cell[4])
      printf "Allowed: %s.", escaped(cell[5])
      if (cell[2] != "" && cell[2] != "1") printf " Unit: %s.", escaped(cell[2])
      if (cell[3] != "") printf " Default: %s.", escaped(cell[3])
      printf "\n"
    }'
  printf '.SH "SEE ALSO"\n.BR palstudy (1),\n.BR palstudy\\-init (1),\n.BR palstudy\\-plan (1),\n.BR palstudy\\-run (1)\n'
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
page
while read -ra words; do page "${words[@]}"; done < <(commands_below)
if [ -n "$report" ]; then
  ln -s "$report" "$scratch/palstudy-report"
  printf '[SEE ALSO]\n.BR palstudy (1)\n' >"$scratch/also"
  write_page palstudy-report "Make a page and figures of an archive of palstudy"
fi
study_page >"$folder/man5/palstudy-study.5"
