# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Sourced. `setup_packages SECTION...` makes sure that the packages of these sections of packages.txt are installed:
# by apt as root or through sudo on Debian (tested on 12) and Ubuntu (untested); elsewhere it says what is missing, by
# its spack and module names, and exits with 2. When nothing is missing, nothing is called but dpkg-query.

# Its own folder, for a caller in any working directory.
setup_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# "package probe spack module" of the sections given, one a line.
setup_rows() {
  local sections=" $* "
  awk -v sections="$sections" '!/^#/ && NF == 5 && index(sections, " " $2 " ") { print $1, $3, $4, $5 }' \
    "$setup_dir/packages.txt"
}

# Whether a probe of packages.txt finds its thing on this machine, wherever it comes from.
setup_found() {
  local what=${1#*:}
  case $1 in
    cmd:*) command -v "$what" >/dev/null 2>&1 ;;
    hdr:*) echo "#include <$what>" | "${CXX:-g++}" -std=c++20 -E -x c++ "${setup_includes[@]}" - >/dev/null 2>&1 ;;
    py:*) python3 -c "import $what" >/dev/null 2>&1 ;;
  esac
}

# -I for every prefix that spack or a module put where CMake will look too.
setup_read_prefixes() {
  setup_includes=()
  local prefix prefixes
  IFS=: read -ra prefixes <<<"${CMAKE_PREFIX_PATH:-}"
  for prefix in "${prefixes[@]}"; do
    [ -d "$prefix/include" ] && setup_includes+=("-I$prefix/include")
  done
  return 0
}

# The rows whose package dpkg does not have.
setup_missing_packages() {
  local rows names installed row
  rows=$(setup_rows "$@")
  mapfile -t names < <(cut -d' ' -f1 <<<"$rows")
  # dpkg-query exits with 1 as soon as one of the names is unknown to it: that is an answer here, not an error.
  installed=$'\n'$(dpkg-query -W -f='${Package} ${db:Status-Status}\n' "${names[@]}" 2>/dev/null || true)$'\n'
  while read -r row; do
    [[ $installed == *$'\n'"${row%% *} installed"$'\n'* ]] || echo "$row"
  done <<<"$rows"
}

# The rows whose probe finds nothing.
setup_missing_probes() {
  local package probe spack module
  setup_read_prefixes
  while read -r package probe spack module; do
    setup_found "$probe" || echo "$package $probe $spack $module"
  done
}

# Says what is missing and how it is called elsewhere, then exits with 2.
setup_give_up() {
  {
    echo "palstudy: $1"
    echo "Missing (Debian package, spack, module):"
    awk '{ printf "  %-22s %-24s %s\n", $1, $3, $4 }' <<<"$2"
    echo "Load the modules, or: spack install $(awk '$3 != "-" { print $3 }' <<<"$2" | sort -u | paste -sd' ')"
    echo "and run this again. docs/howto/install.md has more."
  } >&2
  exit 2
}

# Runs a command as root; fails where that cannot be had without asking somebody who is not there.
setup_as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    env DEBIAN_FRONTEND=noninteractive "$@"
  elif [ -t 0 ] && [ -z "${CI:-}" ]; then
    sudo env DEBIAN_FRONTEND=noninteractive "$@"
  else
    sudo -n env DEBIAN_FRONTEND=noninteractive "$@"
  fi
}

setup_install() {
  local packages
  read -ra packages <<<"$(awk '{ print $1 }' <<<"$1" | paste -sd' ')"
  echo "palstudy: installing (it takes a minute or three): ${packages[*]}" >&2
  # Two installations at once wait for each other; the lists are fetched first, since a fresh machine has none; nothing
  # that is installed already is taken away. What dpkg says of each package is left out.
  setup_as_root apt-get -o DPkg::Lock::Timeout=400 -qq update >&2 &&
    setup_as_root apt-get -o DPkg::Lock::Timeout=400 -qq -y -o Dpkg::Use-Pty=0 --no-remove \
      --no-install-recommends install "${packages[@]}" </dev/null >/dev/null
}

# "debian 12", "ubuntu 24.04", ...
setup_system() {
  # shellcheck source=/dev/null
  (. /etc/os-release 2>/dev/null && echo "${ID:-unknown} ${VERSION_ID:-}") || echo unknown
}

setup_packages() {
  local missing system why
  system=$(setup_system)
  case $system in
    debian* | ubuntu*)
      missing=$(setup_missing_packages "$@")
      [ -n "$missing" ] || return 0
      [[ $system == "debian 12" ]] || echo "palstudy: $system is untested; trying the packages of Debian 12." >&2
      if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
        why="neither root nor sudo, so nothing was installed."
      else
        setup_install "$missing" && return 0
        why="apt could not install what is missing (see above)."
      fi
      ;;
    *)
      missing=$(setup_rows "$@")
      why="this is neither Debian nor Ubuntu ($system), so nothing was installed."
      ;;
  esac
  # What is there from elsewhere (modules, spack, a package of another name) will do.
  missing=$(setup_missing_probes <<<"$missing")
  [ -z "$missing" ] || setup_give_up "$why" "$missing"
}
