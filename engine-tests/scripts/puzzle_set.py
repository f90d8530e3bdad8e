#!/usr/bin/env python3
"""Selects the built-in puzzles.

Selects a fixed number of puzzles, as different in rating and tags as the candidates allow; the selection is deterministic. A mate is
selected only if its tree is small, since the entire tree is part of the page. Prints the selection.
"""

import argparse
import collections
import json
import lzma

SIZE = 300
# Maximum number of lines of a tree.
MOST_LINES = 24
# Width of the rating classes, which are filled equally.
CLASS = 200
# Small, since decompression needs this much memory.
DICTIONARY = 1 << 18


def identities(fen):
    """A board and its mirror image, from the view of the side to move."""
    rows = fen.split()[0].split("/")
    if fen.split()[1] == "b":
        rows = [row.swapcase() for row in reversed(rows)]
    return min("/".join(rows), "/".join(row[::-1] for row in rows))


def is_flight(puzzle):
    """Whether the solution is a single move out of check."""
    return puzzle["goal"] == "win" and puzzle["moves"] == 1 and "evasion" in puzzle["tags"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="CANDIDATES", help="puzzles as JSON Lines")
    parser.add_argument("output", metavar="OUT", help="the compressed selection (.lzma)")
    arguments = parser.parse_args()
    files, output = arguments.files, arguments.output
    candidates, seen = [], set()
    for file in files:
        for line in open(file, encoding="utf-8"):
            puzzle = json.loads(line)
            identity = identities(puzzle["fen"])
            small = len(puzzle.get("variations", [])) < MOST_LINES
            if small and not is_flight(puzzle) and identity not in seen:
                seen.add(identity)
                candidates.append((puzzle, line.strip()))
    tags, classes = collections.Counter(), collections.Counter()

    def worth(candidate):
        puzzle = candidate[0]
        shares = [1 / (1 + tags[tag]) for tag in puzzle["tags"]]
        return max(shares) + sum(shares) / len(shares) + 1 / (1 + classes[puzzle["rating"] // CLASS])

    chosen = []
    total = len(candidates)
    while candidates and len(chosen) < SIZE:
        best = max(candidates, key=worth)
        candidates.remove(best)
        chosen.append(best)
        tags.update(best[0]["tags"])
        classes[best[0]["rating"] // CLASS] += 1
    chosen.sort(key=lambda candidate: candidate[0]["rating"])
    text = "".join(line + "\n" for _, line in chosen).encode()
    filters = [{"id": lzma.FILTER_LZMA1, "preset": 9, "dict_size": DICTIONARY}]
    packed = lzma.compress(text, format=lzma.FORMAT_ALONE, filters=filters)
    with open(output, "wb") as file:
        file.write(packed)
    print(f"candidates {total} puzzles {len(chosen)} bytes {len(text)} packed {len(packed)}")
    for tag, count in tags.most_common():
        print(f"{count:4} {tag}")
    for value in sorted(classes):
        print(f"{classes[value]:4} rating {value * CLASS} to {value * CLASS + CLASS - 1}")


main()
