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
    [ $# -gt 0 ] || installed
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
# What palstudy(1) has beside --help: all that is installed, the environment, a first study.
installed() {
  cat <<'TROFF'
[ENVIRONMENT]
.TP
.B PALSTUDY_DATA
Where the data is, if not beside the program:
.I PREFIX/share/palstudy
or the folder of the sources.
.TP
.B PALSTUDY_PROGRAM
The program that palstudy\-report and the Python module ask, if not the one beside them or on PATH.
.TP
.B PALSTUDY_PYTHON
The Python of palstudy\-report.
.TP
.BR PALSTUDY_ACCOUNT ", " PALSTUDY_TIME " and others"
Settings of the Slurm scripts; docs/howto/slurm.md has all of them.
.TP
.B NO_COLOR
If it is not empty, messages have no colours.

[FILES]
PREFIX is the folder in which palstudy is installed: the program is
.IR PREFIX/bin/palstudy .
Where a message, a help or a page names a file in docs/ or experiments/, it is one of these.
.TP
.I PREFIX/share/doc/palstudy/docs
The documentation, a page for each subject; README.md there is its table of contents.
.TP
.I PREFIX/share/palstudy/experiments
The studies that come with the program, which
.B palstudy init
prints, and the JSON Schema of studies.
.TP
.I PREFIX/share/palstudy/jobs
Traces, and the table of job models.
.TP
.I PREFIX/share/palstudy/kernels/measurements
Measured GPUs, the profiles that studies choose by name.
.TP
.I PREFIX/share/palstudy/hdf5\-schemas
What is in an archive, a profile, a shard; archive.md is for people.
.TP
.I PREFIX/share/palstudy/python/palstudy.py
The Python module, which reads archives into pandas. Add its folder to PYTHONPATH; docs/howto/python.md.
.TP
.I PREFIX/share/palstudy/slurm\-scripts
Scripts that submit studies as Slurm jobs; docs/howto/slurm.md.
.TP
.I PREFIX/share/palstudy/scripts/mpi\-env.sh
To be sourced: lets Open MPI run as root, in a container, or with more ranks than cores.
.TP
.I PREFIX/share/bash\-completion/completions/palstudy
Completion for bash.
.TP
.I PREFIX/share/zsh/site\-functions/_palstudy
Completion for zsh.
.TP
.I PREFIX/share/modulefiles
For
.BR "module use" .

[EXAMPLES]
A study, what it costs, its runs on four ranks, the gains, and a page with figures:
.PP
.nf
    palstudy init \-o mine.toml
    palstudy plan mine.toml
    mpirun \-n 4 palstudy run mine.toml \-o mine.h5
    palstudy compare mine.h5
    palstudy\-report mine.h5 \-o page
.fi

TROFF
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
.SH TRACES
.B workload.trace
names a file of jobs, which may be packed by gzip, and
.B workload.reader
its format.
.B palstudy list readers
also says where such traces are published; docs/howto/traces.md has more.
TROFF
  "$palstudy" list readers --markdown | awk -F ' [|] ' 'NR > 2 {
    sub(/^\| /, ""); gsub(/-/, "\\-"); printf ".TP\n.B %s\n%s\n", $1, $2 }'
  cat <<'TROFF'
.SS The reader native
reads CSV. The first line names the columns, in any order; others than these are ignored. A row is a job.
.TP
.B job_id
Whole number, another one for each job; one under 0 says that the job runs at time 0 already.
.TP
.B submit_s
Number, seconds from time 0 on: when the job arrives.
.TP
.B num_gpus
Whole number, at least 1.
.TP
.BR iterations " and " iteration_s
Numbers above 0; their product is the time in seconds that the job takes on GPUs of slowdown 1 and without locality penalty.
.TP
.B class
Text, one of the classes of the cluster
.RB ( cluster.classes ,
or of
.BR cluster.table ).
.TP
.BR model ", " tenant ", " user ", " name
Texts; these columns may be left out.
.TP
.B estimate_s
Seconds above 0 that the job is said to take; may be left out, or empty.
.TP
.B predicted_s
Seconds, for predictors; may be left out, or empty.
.TP
.BR start_s ", " end_s
Seconds, when the site started the job and saw it end; may be left out, or both empty.
.PP
.nf
    job_id,submit_s,num_gpus,iterations,iteration_s,class
    0,0,8,86400,1.0,A
    1,600,2,5000,0.4,B
.fi
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
