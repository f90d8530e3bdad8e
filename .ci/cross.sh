# For .ci/windows and .ci/arm: builds and tests for other systems in a root folder of Debian 12. Rust's own installer may have the
# standard library only for this system; Debian's packages include its sources, and Cargo builds it for any target (-Z build-std).
# The system that runs the script is not changed, except for the installation of debootstrap, which creates the folder.
#
#   ROOT    the folder; existing contents are reused            (/var/tmp/chuhe-cross)
#   SHARED  sample files for tests; without them the tests that need them are skipped    (../shared next to the working tree)
#   BEFORE  prefix of every build and test command, such as 'nice'
#   ALONE   prefix of timed commands, such as a command that suspends other work meanwhile
# CARGO_PROFILE_… and CARGO_BUILD_JOBS are passed on, for instance CARGO_PROFILE_DEV_OPT_LEVEL=1 for a quicker build.

ROOT=${ROOT:-/var/tmp/chuhe-cross}
BEFORE=${BEFORE:-}
ALONE=${ALONE:-}
PREFIX=
SOURCES=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
SHARED=${SHARED:-$SOURCES/../shared}
SUITE=bookworm
MIRROR=${MIRROR:-http://deb.debian.org}

fail() {
  echo "$0: $*" >&2
  exit 1
}

# Runs a command line in the root folder: the working tree is /sources, build output goes to /target. Builds are not incremental: nobody edits the
# sources between them, and an interrupted incremental build may keep object files that no longer link.
inside() {
  # The mounts are in a separate namespace and end with the command.
  $PREFIX unshare --mount -- bash -c '
    set -e
    root=$1 sources=$2 shared=$3; shift 3
    mount --make-rprivate /
    mkdir -p "$root/sources" "$root/target"
    mount --rbind /proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount --bind "$sources" "$root/sources"
    [ ! -d "$shared" ] || { mkdir -p "$root/shared"; mount --bind -o ro "$shared" "$root/shared"; }
    exec chroot "$root" "$@"
  ' bash "$ROOT" "$SOURCES" "$SHARED" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
    DEBIAN_FRONTEND=noninteractive CARGO_TERM_COLOR=never CARGO_INCREMENTAL=0 CARGO_TARGET_DIR=/target RUSTC_BOOTSTRAP=1 \
    $(env | grep '^CARGO_\(PROFILE\|BUILD_JOBS\)' || true) "${SETTINGS[@]}" \
    bash -c "cd /sources; $*"
}

# The same for long commands.
long() {
  local PREFIX=$BEFORE
  inside "$@"
}

# The same for timed commands.
timed() {
  local PREFIX=$ALONE
  inside "$@"
}

# Creates the root folder, or installs the given packages in it.
make_root() {
  [ "$(id -u)" = 0 ] || fail "expected to run as root: it makes a root folder and changes into it"
  if [ ! -e "$ROOT/etc/debian_version" ]; then
    command -v debootstrap >/dev/null || { apt-get update -qq && apt-get install -y -qq debootstrap; } >/dev/null ||
      fail "debootstrap is missing and cannot be installed"
    debootstrap --variant=minbase --include=ca-certificates "$SUITE" "$ROOT" "$MIRROR/debian" >&2
    printf 'deb %s/debian %s main\ndeb %s/debian-security %s-security main\n' "$MIRROR" "$SUITE" "$MIRROR" "$SUITE" \
      >"$ROOT/etc/apt/sources.list"
    echo 'Acquire::Languages "none";' >"$ROOT/etc/apt/apt.conf.d/90languages"
  fi
  cp -f /etc/resolv.conf "$ROOT/etc/resolv.conf"
  # Additional certificates trusted by this system, such as those of a proxy.
  cp -f /etc/ssl/certs/ca-certificates.crt "$ROOT/etc/ssl/certs/ca-certificates.crt"
  local missing
  missing=$(inside "dpkg-query -W -f '\${Package} \${db:Status-Abbrev}\n' $* 2>/dev/null || true" | awk '$2 == "ii" { print $1 }')
  missing=$(comm -23 <(printf '%s\n' "$@" | sort) <(sort <<<"$missing"))
  if [ -n "$missing" ]; then
    inside "apt-get update -qq && apt-get install -y -qq --no-install-recommends ${missing//$'\n'/ }" >&2
  fi
}

# Rust with the sources of its standard library, and a C compiler for build scripts.
RUST=(rustc-web cargo-web rust-web-src gcc libc6-dev)

# The node count in the newest commit message.
expected_bench() {
  git -C "$SOURCES" log -50 --format=%B | awk '/^Bench: [0-9]+/ && !found { found = $2 } END { print found }'
}

# The root folder and its age, for the log, which shows whether it was created for this run.
about_root() {
  echo "root folder of Debian $(cat "$ROOT/etc/debian_version"), made $(date -u -r "$ROOT/etc/apt/sources.list" '+%F %R'); run from $BEGAN to $(date -u '+%F %R') UTC"
}

# The profile settings that were passed on, for the log.
profile_settings() {
  env | grep '^CARGO_PROFILE' | sort | sed 's/^/built with /' || true
}

# Sums the results of the test programs: passed, failed, ignored and skipped tests.
summary_of_tests() {
  awk '/^test result:/ { passed += $4; failed += $6; ignored += $8 } /^(chuhe: )?skipped/ { skipped++ }
    END { printf "passed %d, failed %d, ignored %d, skipped %d\n", passed, failed, ignored, skipped }' "$1"
  grep -E '^test .* FAILED$' "$1" | sort | uniq || true
  grep -hE '^skipped' "$1" | sort | uniq -c | sed 's/^ *\([0-9]*\) /\1 x /' || true
}

# The tested commit: the one at the start of the run.
COMMIT=$("$SOURCES/.ci/commit")
BEGAN=$(date -u '+%F %R')
