#!/usr/bin/env bash
# Drives the page of `chuhe serve` in Chromium: engine-tests/browser/run.sh [CHUHE] [--served] [TEST…]. Needs Node, npm and Debian's chromium
# (or CHROMIUM=/path). Takes about five minutes; SCREENSHOTS=folder also writes the screenshots of the documents, PAGE=folder reads the page from
# there instead of from the program, LIMITS=1 compares durations with their goals.
#
# --served, as a part of .ci/run: only the tests of the server, about a minute, since .ci/web runs the others on the page without a server.
# If Node, the packages of the npm registry or Chromium are not available, it says so and tests nothing.
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
# The system's browser is used; none is downloaded.
[ -d node_modules/playwright-core ] || PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --no-audit --no-fund --silent ||
  skip "the packages of engine-tests/browser cannot be installed"
exec node test.mjs "$chuhe" "$@"
