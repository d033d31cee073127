# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Completion for bash. All words come from the program: `palstudy complete -- WORD...` (src/cli/commands/complete.cpp). Where it has
# none, files are completed.
_palstudy() {
  local line=${COMP_LINE:0:COMP_POINT} words word
  read -ra words <<<"$line"
  [[ $line != *[[:space:]] ]] || words+=('')
  word=${words[-1]}
  mapfile -t COMPREPLY < <("${words[0]/#\~/$HOME}" complete -- "${words[@]:1}" 2>/dev/null | cut -f1)
  [[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null
  # Bash completes only what follows the last '=', where that ends a word for it.
  if [[ $word == *=* && $COMP_WORDBREAKS == *=* ]]; then COMPREPLY=("${COMPREPLY[@]#"${word%=*}"=}"); fi
}
complete -o bashdefault -o default -F _palstudy palstudy
