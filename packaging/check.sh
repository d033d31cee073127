#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# check.sh CHECK...: what needs a clean machine, and takes too long or too much for ./test.sh. As root, with mmdebstrap; a root is made by
# the apt sources of this machine. --list names the checks, `all` is all of them.
#
#   reuse       copyright and licence of every file (reuse lint)
#   root        the two commands of the README in a clean Debian 12, as root
#   sudo        the same as a user who has sudo
#   debian      builds the Debian package, lintian finds no error, the package is installed in a root of its own and simulates a study
#   apptainer   the lines of %post of the Apptainer definition, and its %test
#   docker      the RUN lines of the Dockerfile, each stage in a root of its own, and the entry point
#
# Each builds everything: eleven minutes of processor time. With PALSTUDY_CCACHE=FOLDER the compilers of the clean roots share a ccache.
# PALSTUDY_ROOT=FILE.tar is taken as the clean root, in place of a new one; --first leaves ./test.sh out of root and
# sudo; --install-only stops debian, apptainer and docker before the build, when all that it needs is installed.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
checks=(reuse root sudo debian apptainer docker)
quick='' packages='' # --first: without ./test.sh; --install-only

usage() { awk 'NR > 2 && !/^#/ { exit } NR > 2 { sub(/^# ?/, ""); print }' "$0"; }
say() { echo "==> $*" >&2; }
die() {
  echo "packaging: $*" >&2
  exit 2
}

# A root with nothing but apt, unpacked again for each check, with a copy of the sources.
base_root() {
  [ -z "${PALSTUDY_ROOT:-}" ] || return 0
  local sources
  mapfile -t sources < <(find /etc/apt/sources.list.d -name '*.sources' | sort)
  [ ${#sources[@]} -gt 0 ] || sources=(/etc/apt/sources.list)
  say "making a clean Debian 12"
  PALSTUDY_ROOT=$scratch/base.tar
  mmdebstrap --quiet --variant=apt --mode=root bookworm "$PALSTUDY_ROOT" "${sources[@]}"
}
new_root() { # NAME [WHERE]: the sources are in WHERE, /src by default
  local place=${2:-/src}
  base_root
  clean=$scratch/$1
  mkdir "$clean"
  tar -C "$clean" -xpf "$PALSTUDY_ROOT"
  cp -L /etc/resolv.conf "$clean/etc/resolv.conf"
  cp -L /etc/hosts "$clean/etc/hosts"
  mkdir -p "$clean$place"
  git -C "$root" ls-files -z | tar -C "$root" --null -T - -cf - | tar -C "$clean$place" -xf -
  if [ -n "${PALSTUDY_CCACHE:-}" ]; then
    mkdir -p "$clean/ccache"
    within_root "apt-get -qq update && apt-get -qq -y --no-install-recommends install ccache >/dev/null"
  fi
}
# Runs a line of shell in the root, with /proc, /dev and a temporary folder of its own.
within_root() { # COMMAND
  # shellcheck disable=SC2016
  env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    ${PALSTUDY_CCACHE:+CCACHE_DIR=/ccache CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache CACHE="$PALSTUDY_CCACHE"} \
    unshare --mount --pid --fork --kill-child bash -euc '
      mount -t proc proc "$0/proc"
      mount --rbind /dev "$0/dev"
      mount -t tmpfs tmpfs "$0/tmp"
      [ -z "${CACHE:-}" ] || mount --bind "$CACHE" "$0/ccache"
      exec chroot "$0" sh -ec "$1"' "$clean" "$1" </dev/null
}

study='palstudy run /usr/share/palstudy/experiments/sia-philly.toml -o /root/sia-philly.h5 && palstudy digest /root/sia-philly.h5'

check_reuse() { (cd "$root" && reuse lint | tail -1); }

check_root() {
  new_root root "$root" # the same path as here, so that a ccache knows the files
  within_root "cd $root && ./quickstart.sh"
  [ -n "$quick" ] || within_root "cd $root && ./test.sh"
}

check_sudo() {
  new_root sudo "$root"
  within_root "apt-get -qq update && apt-get -qq -y --no-install-recommends install sudo >/dev/null
    useradd --create-home --shell /bin/bash reader && echo 'reader ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/reader && chown -R reader $root"
  local reader="export CCACHE_READONLY=1 CCACHE_TEMPDIR=/tmp; cd $root"
  within_root "su reader -c '$reader && ./quickstart.sh'"
  [ -n "$quick" ] || within_root "su reader -c '$reader && ./test.sh'"
}

check_debian() {
  new_root debian
  within_root 'cd /src && apt-get -qq update && apt-get -qq -y --no-install-recommends install dpkg-dev lintian >/dev/null
    packaging/debian/build.sh --unpacked-only /build/palstudy
    apt-get -qq -y --no-install-recommends build-dep /build/palstudy >/dev/null'
  [ -z "$packages" ] || return 0
  within_root 'cd /src && packaging/debian/build.sh /out && lintian --allow-root --fail-on error /out/palstudy_*.changes'
  local built=$clean
  new_root installed
  mkdir "$clean/out"
  cp "$built"/out/palstudy_*.deb "$clean/out"
  within_root "apt-get -qq update && apt-get -qq -y install /out/palstudy_*.deb >/dev/null && rm -rf /src && $study &&
    palstudy-report /root/sia-philly.h5 -o /root/page && test -s /root/page/index.html"
}

# The lines of a section of the Apptainer definition.
section() { awk -v wanted="%$1" '/^%/ { inside = $1 == wanted; next } inside { print }' "$root/packaging/apptainer/palstudy.def"; }
check_apptainer() {
  new_root apptainer
  if [ -n "$packages" ]; then
    within_root "$(section post | sed '/cmake --build/,$d')"
    return
  fi
  within_root "$(section post)"
  within_root "rm -rf /src && $(section test) && ${study//\/usr\/share/\/usr\/local\/share}"
}

# What a stage of the Dockerfile runs, counted from 1.
stage() { awk -v wanted="$1" '/^FROM/ { at++ } at == wanted && sub(/^RUN /, "") { print }' "$root/packaging/docker/Dockerfile"; }
check_docker() {
  new_root docker-build
  if [ -n "$packages" ]; then
    within_root "cd /src && $(stage 1 | head -n 1)"
    return
  fi
  within_root "cd /src && $(stage 1 | paste -sd'&' | sed 's/&/ \&\& /g')"
  local built=$clean
  new_root docker
  cp -R "$built/out" "$clean/out"
  within_root "rm -rf /src && $(stage 2) && $study"
}

main() {
  local chosen=() name
  for name in "$@"; do
    case $name in
      --help) usage && exit ;;
      --list) printf '%s\n' "${checks[@]}" && exit ;;
      --first) quick=yes ;;
      --install-only) packages=yes ;;
      all) chosen=("${checks[@]}") ;;
      *)
        [[ " ${checks[*]} " == *" $name "* ]] || die "there is no check $name; --list names them"
        chosen+=("$name")
        ;;
    esac
  done
  [ ${#chosen[@]} -gt 0 ] || die "name a check, or all; --help says more"
  [ "$(id -u)" -eq 0 ] || [[ "${chosen[*]}" == reuse ]] || die "clean roots need root"
  scratch=$(mktemp -d)
  trap 'rm -rf --one-file-system "$scratch"' EXIT
  for name in "${chosen[@]}"; do
    say "$name"
    "check_$name"
    say "$name: as expected"
  done
}
main "$@"
