# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Sourced by the scripts beside it: options, the settings of a site, and the making of job scripts.
#
# A setting is an environment variable PALSTUDY_<NAME>, for one kind of job alone PALSTUDY_<KIND>_<NAME> with the kinds
# MEASURE, RUN (run.sh and run-array.sh) and MERGE. The command line goes before the environment, that before the site.
shopt -s inherit_errexit # what fails inside of $(...) ends the script
scripts_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
kind=RUN                 # of the job that the script submits
operands=() rest=()      # what is no option; what stands after "--"
overrides=()             # the --set among the latter, for the plan
dry_run='' after='' output=''
study='' program='' command=() directives=() before_step='' # of the job, for make_script
again=() # the words that submit the next round, for a merge that ends with 4
# Which variable an option fills; a name in capitals is a setting.
declare -A takes=([--site]=SITE [--account]=ACCOUNT [--partition]=PARTITION [--qos]=QOS [--constraint]=CONSTRAINT
  [--time]=TIME [--nodes]=NODES [--tasks-per-node]=TASKS_PER_NODE [--cpus-per-task]=CPUS_PER_TASK [--mem]=MEM
  [--after]=after)

die() {
  echo "${0##*/}: $*" >&2
  exit 2
}

# The comment at the head of the script, and the options that all have.
usage() {
  awk 'NR > 2 && !/^#/ { exit } NR > 2 { sub(/^# ?/, ""); print }' "$0"
  cat <<'TEXT'

Options of all scripts: --site NAME|FILE  --account A  --partition P  --qos Q  --constraint C  --time T  --nodes N
  --tasks-per-node N  --cpus-per-task N  --mem M  --after JOB[:JOB]...  --dry-run  --help
TEXT
  echo "They may be set in the environment as well (PALSTUDY_ACCOUNT=A ...), or by the file of a site, as sites/generic.env:"
  echo "$(settings_page), Settings, has all of them."
}

# docs/howto/slurm.md, in the source tree or installed; elsewhere its name.
settings_page() {
  local place
  for place in "$scripts_dir/../docs/howto/slurm.md" "$scripts_dir/../../doc/palstudy/docs/howto/slurm.md"; do
    [ ! -e "$place" ] || { realpath "$place"; return; }
  done
  echo docs/howto/slurm.md
}

set_option() { # option value
  local name=${takes[$1]}
  case $name in
    SITE) PALSTUDY_SITE=$2 ;;
    [A-Z]*) export "PALSTUDY_${kind:+${kind}_}$name=$2" ;;
    *) printf -v "$name" %s "$2" ;;
  esac
}

parse_options() {
  while (($# > 0)); do
    case $1 in
      --dry-run) dry_run=yes ;;
      --help | -h)
        usage
        exit 0
        ;;
      --)
        rest=("${@:2}")
        break
        ;;
      --*=*)
        [ -n "${takes[${1%%=*}]:-}" ] || die "unknown option ${1%%=*}; --help names those there are"
        set_option "${1%%=*}" "${1#*=}"
        ;;
      -*)
        [ -n "${takes[$1]:-}" ] || die "unknown option $1; --help names those there are"
        (($# > 1)) || die "$1 needs a value"
        set_option "$1" "$2"
        shift
        ;;
      *) operands+=("$1") ;;
    esac
    shift
  done
  read_overrides
  load_site
}

# What changes the study changes its plan.
read_overrides() {
  local i
  for ((i = 0; i < ${#rest[@]}; ++i)); do
    case ${rest[i]} in
      --set=*) overrides+=("${rest[i]}") ;;
      --set) overrides+=("${rest[@]:i++:2}") ;;
    esac
  done
}

# The site's file sets what is not set yet.
load_site() {
  export PALSTUDY_SITE=${PALSTUDY_SITE:-generic}
  local file=$PALSTUDY_SITE
  [[ $file == */* ]] || file=$scripts_dir/sites/$file.env
  [ -r "$file" ] || die "no site $PALSTUDY_SITE: there is no $file; the sites are $(site_names)"
  set -a
  # shellcheck source=sites/generic.env
  . "$file"
  set +a
}
site_names() {
  local files=("$scripts_dir"/sites/*.env)
  files=("${files[@]##*/}")
  echo "${files[*]%.env}"
}

# The value of a setting for this kind of job, "" if it has none.
setting() {
  local own=PALSTUDY_${kind}_$1 all=PALSTUDY_$1
  printf %s "${!own:-${!all:-}}"
}
# A setting that has to be a number from 1 on.
number() { # name default
  local value
  value=$(setting "$1")
  value=${value:-$2}
  [[ $value =~ ^[1-9][0-9]*$ ]] || die "PALSTUDY_$1 is \"$value\"; it has to be a number, 1 at least"
  printf %s "$value"
}

# The path from the root, of a file that need not be there yet.
absolute() {
  local folder
  folder=$(cd "$(dirname "$1")" 2>/dev/null && pwd) || die "$1: there is no such folder"
  printf '%s/%s' "${folder%/}" "$(basename "$1")"
}

find_program() {
  local found=${PALSTUDY:-} place
  for place in "$scripts_dir/../build/release/palstudy" "$scripts_dir/../../../bin/palstudy" "$(command -v palstudy || true)"; do
    [ -n "$found" ] || [ ! -x "$place" ] || found=$place
  done
  [ -x "$found" ] || die "no program palstudy${found:+ at $found}: build it, or set PALSTUDY to it"
  absolute "$found"
}

need_study() {
  ((${#operands[@]} == 1)) || die "give one study; --help says more"
  [ -r "${operands[0]}" ] || die "${operands[0]}: there is no such study"
  study=$(absolute "${operands[0]}")
}
need_output() {
  [ -n "$output" ] || die "give -o FILE.h5"
  [ -n "$dry_run" ] || mkdir -p "$(dirname "$output")"
  if [ -d "$(dirname "$output")" ]; then output=$(absolute "$output"); fi
}

# The launcher and its options, as words of an array: "srun --mpi=pmix", "mpirun", or "none" for a single process.
read_launcher() {
  read -ra launcher <<<"$(setting LAUNCH)"
  ((${#launcher[@]} > 0)) || launcher=(srun)
  [[ ${launcher[0]} != none ]] || launcher=()
}

# Seconds of a time limit as Slurm takes it: M, M:S, H:M:S, D-H, D-H:M, D-H:M:S.
seconds_of() {
  local days=0 clock=$1 a b c
  [[ $1 =~ ^([0-9]+-)?[0-9]+(:[0-9]+){0,2}$ ]] || die "the time limit \"$1\" is none that Slurm knows, such as 4:00:00"
  if [[ $1 == *-* ]]; then days=${1%%-*} clock=${1#*-}; fi
  IFS=: read -r a b c <<<"$clock"
  a=$((10#$a)) b=$((10#${b:-0})) c=$((10#${c:-0}))
  if [[ $1 == *-* ]]; then
    echo $((days * 86400 + a * 3600 + b * 60 + c))
  elif [[ $clock == *:*:* ]]; then
    echo $((a * 3600 + b * 60 + c))
  else
    echo $((a * 60 + b))
  fi
}

# A line for sbatch, nothing for an empty value; sbatch takes quotes as a shell does.
directive() { # option value
  [ -n "$2" ] || return 0
  [[ $2 != *[\"\\$'\n']* ]] || die "--$1: a path or value with a quote, a backslash or a new line in it: $2"
  if [[ $2 == *[!A-Za-z0-9_./:=@%,+*-]* ]]; then
    printf '#SBATCH --%s="%s"\n' "$1" "$2"
  else
    printf '#SBATCH --%s=%s\n' "$1" "$2"
  fi
}

# Where the logs go: %x is the job's name; %j its id, for an element of an array %A_%a.
log_name() { # folder pattern
  printf '%s/%%x-%s.out' "${1//%/%%}" "$2"
}

# Prints the job script. `directives` (option value ...), `command` and the lines `before_step` are the caller's; the
# rest is the site's.
make_script() { # job name, log pattern
  local i logs tasks cpus signal_s attempts time_s
  tasks=$(number TASKS_PER_NODE 1)
  cpus=$(number CPUS_PER_TASK 1)
  signal_s=$(number SIGNAL_S 120)
  attempts=$(number ATTEMPTS 20)
  time_s=$(setting TIME)
  time_s=$(seconds_of "${time_s:-60}")
  # A short job is not to be warned before it has done anything.
  signal_s=$((signal_s < time_s / 4 ? signal_s : time_s / 4))
  logs=${PALSTUDY_LOGS:-$(dirname "$output")/slurm-logs}
  [ -n "$dry_run" ] || mkdir -p "$logs"
  echo '#!/usr/bin/env bash'
  directive job-name "$1"
  directive output "$(log_name "$logs" "$2")"
  for i in account partition qos constraint time nodes mem; do directive "$i" "$(setting "${i^^}")"; done
  directive ntasks-per-node "$tasks"
  directive cpus-per-task "$cpus"
  for ((i = 0; i < ${#directives[@]}; i += 2)); do directive "${directives[i]}" "${directives[i + 1]}"; done
  # Queued again it appends to its log; the batch script hears of the time limit so long before.
  directive signal "B:USR1@$signal_s"
  echo '#SBATCH --requeue'
  echo '#SBATCH --open-mode=append'
  if [ -n "$after" ]; then
    directive dependency "afterok:$after"
    echo '#SBATCH --kill-on-invalid-dep=yes'
  fi
  echo
  [ -z "$(setting SETUP)" ] || setting SETUP
  printf '\nattempts=%s\n' "$attempts"
  printf 'signal_s=%s\n' "$signal_s"
  printf 'output=%q\n' "$output"
  printf 'command=('
  printf ' %q' "${command[@]}"
  printf ' )\n'
  if ((${#again[@]} > 0)); then make_again; fi
  echo
  sed '/^# SPDX/d; /^# shellcheck/d' "$scripts_dir/in-job.sh"
  printf '\n%s\n' "$before_step"
  # shellcheck disable=SC2016
  echo 'run_step "${command[@]}"'
  echo end_job
}

# The next round is submitted with the settings of this one, whether or not sbatch hands on the environment.
make_again() {
  local name
  for name in "${!PALSTUDY_@}"; do
    [ "$name" = PALSTUDY_NEXT_ROUND ] || printf 'export %s=%q\n' "$name" "${!name}"
  done
  printf 'again=('
  printf ' %q' "${again[@]}"
  printf ' )\n'
}

# Submits the script and prints the job's id; with --dry-run prints the script and calls `show_plan`.
submit() { # script
  if [ -n "$dry_run" ]; then
    printf '%s\n' "$1"
    echo "# --- nothing was submitted; the plan:"
    show_plan
    return
  fi
  command -v sbatch >/dev/null || die "there is no sbatch here; --dry-run needs none"
  echo "+ sbatch --parsable <<'END'" >&2
  printf '%s\n\n' "${1%%$'\n\n'*}" >&2 # its head
  local job
  job=$(sbatch --parsable <<<"$1")
  echo "${job%%;*}" # a federation adds the cluster's name
}

show_plan() { "$program" plan "$study" "${overrides[@]}"; }
