#!/usr/bin/env bash
# Drives the page of `chuhe serve` in Chromium: engine-tests/browser/run.sh [CHUHE] [--served] [TEST…]. Needs Node, npm and Debian's chromium
# (or CHROMIUM=/path). Takes about five minutes; SCREENSHOTS=folder writes the pictures of the documents too, PAGE=folder reads the page from
# there instead of the program, LIMITS=1 holds durations against their goals.
#
# --served, as a part of .ci/run: only what has to do with the server, about a minute, since .ci/web runs the other tests on the page without one.
# Where Node, the packages of the npm registry or Chromium can't be had, this is said and nothing is tested.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
chuhe=$(realpath "${1:-$here/../../target/release/chuhe}")
[ $# -gt 0 ] && shift
cd "$here"

skip() {
  echo "browser: $1" >&2
  case " $arguments " in *" --served "*) echo "browser: skipped"; exit 0 ;; esac
  exit 1
}

arguments=$*
browser=${CHROMIUM:-/usr/bin/chromium}
for name in node npm "$browser"; do
  command -v "$name" >/dev/null || skip "$name is missing"
done
# The browser is the system's: none is downloaded.
[ -d node_modules/playwright-core ] || PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --no-audit --no-fund --silent ||
  skip "the packages of engine-tests/browser can't be had"
exec node test.mjs "$chuhe" "$@"
