#!/usr/bin/env bash
# Drives the page of `chuhe serve` in Chromium: engine-tests/browser/run.sh [CHUHE] [TEST…]. Needs Node, npm and Debian's chromium (or
# CHROMIUM=/path). Takes about two minutes; SCREENSHOTS=folder writes the pictures of the documents
# too, PAGE=folder reads the page from there instead of the program.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
chuhe=${1:-$here/../../target/release/chuhe}
[ $# -gt 0 ] && shift
cd "$here"
# The browser is the system's: none is downloaded.
[ -d node_modules/playwright-core ] || PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --no-audit --no-fund --silent
exec node test.mjs "$chuhe" "$@"
