#!/bin/sh
# Analyses a list of positions on many hosts with GNU parallel, results in the order of the input.
#
#   analyze_parallel.sh LIST OUT [LOGINS] [-- OPTIONS OF chuhe analyze]
#
# LIST: one FEN per line. OUT: JSON Lines. LOGINS: the argument of `parallel --sshlogin`, such as 8/alpha,16/beta (jobs/host), `:` for
# this machine (the default); `chuhe` must be in the path of every host, or set CHUHE. Blocks of 100 lines are sent to the next
# free host; --keep-order keeps the answers in order, --joblog with --resume-failed resumes after an interruption and repeats the blocks that
# have failed, --retries moves a block from a failed host to another. Status 1 with error lines is a valid answer; without error lines the
# host has failed.
set -eu
list=$1 out=$2
shift 2
logins=:
if [ "${1:-}" != "--" ] && [ $# -gt 0 ]; then logins=$1; shift; fi
if [ "${1:-}" = "--" ]; then shift; fi
# Blocks are separate files, so that a resumed run uses the same ones.
work=$out.blocks
mkdir -p "$work"
blocks() {
    find "$work" -name '[0-9][0-9][0-9][0-9][0-9][0-9]' | sort
}
# The options are written last, so that an interrupted split is repeated.
if [ ! -e "$work/options" ]; then
    split -l 100 -d -a 6 "$list" "$work/"
    printf '%s\n' "$*" > "$work/options"
fi
if ! blocks | tr '\n' '\0' | xargs -0 cat | cmp -s - "$list" || [ "$(cat "$work/options")" != "$*" ]; then
    echo "$0: $work and $out.log are of another list or of other options: remove both to begin anew" >&2
    exit 1
fi
# A block without a position, of empty lines and remarks, would be an error of its own.
blocks | tr '\n' '\0' | { LC_ALL=C xargs -0 grep -l '^[[:space:]]*[^#[:space:]]' || true; } |
    parallel --sshlogin "$logins" --joblog "$out.log" --resume-failed --retries 3 --keep-order --halt soon,fail=1 \
        --transferfile {} --return {}.jsonl --cleanup \
        "${CHUHE:-chuhe} analyze $* {} > {}.jsonl || { test \$? -eq 1 && grep -q '\"line\":[0-9].*\"error\":' {}.jsonl; }"
# File and line number refer to the entire list.
NAME=$(printf '%s' "$list" | sed 's/[\\"]/\\&/g')
export NAME
blocks | while IFS= read -r block; do
    [ -e "$block.jsonl" ] || continue
    LC_ALL=C awk -v block="${block##*/}" '{
        at = index($0, "\",\"line\":")
        if (at == 0) { print; next }
        rest = substr($0, at + 9)
        number = rest + 100 * block
        sub(/^[0-9]+/, "", rest)
        print "{\"file\":\"" ENVIRON["NAME"] "\",\"line\":" number rest
    }' < "$block.jsonl"
done > "$out"
