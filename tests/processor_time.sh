#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# processor_time.sh FOLDER NAME COMMAND...: the command, and if there is the folder, a file there of how long processors worked
# for it and for all that it started (the second line of `times`).
"${@:3}"
rc=$?
[ ! -d "$1" ] || times >> "$1/${2//\//-}"
exit "$rc"
