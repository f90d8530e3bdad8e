#!/usr/bin/env python3
"""Compares our verdicts on repetitions with those of an independent referee, and classifies the differences.

Run from the repository root, with the package pyffish (Fairy-Stockfish as a library) installed:

    pip install pyffish==0.0.90
    cargo build -p engine-tests --bin repetition_windows
    for seed in 11 12 13 14 15 16; do target/debug/repetition_windows 20000 $seed; done | sort -u -k2,3 -t$'\\t' > windows.tsv
    python3 engine-tests/scripts/repetition_differential.py target/debug/repetition_windows windows.tsv \
        > engine-tests/data/repetition-differences.tsv

The committed table ends after 7624 windows of seed 16. Loops that occur in play are taken from games, here from
self-play at 600 nodes per move from random openings (any list of FEN and moves can be used):

    chuhe-tuning selfplay -o games --games 26000 --nodes 600 --seed 1
    chuhe-tuning export games | target/debug/repetition_windows games > played.tsv
    python3 engine-tests/scripts/repetition_differential.py target/debug/repetition_windows played.tsv \
        > engine-tests/data/repetition-differences-self-play.tsv

Every class is explained by the text of the World Xiangqi Rules
(sections of docs/src/rules/world.md) and kept with its smallest window as a test.
"""

import collections
import multiprocessing
import subprocess
import sys

import pyffish

# Name of a class and the derivation of our verdict from the rules.
CLASSES = {
    "root gone": "4.2, difference rule: an unmoved attacker's standing attack becomes a threat, because the move ties or blocks the "
    "root, or ties the victim; the referee asks only for attacks made or uncovered by the move and newly tied roots",
    "root through the capturer": "4.2.6, second line: a rook or cannon that sees the point only once the capturer has left its line is "
    "no root; the referee counts it (8.1)",
    "root that may not take back": "4.2.6, third line: the root's recapture lets a new attack through on its own king; the referee "
    "looks at tied pieces and facing kings only",
    "standing attack": "4.2, difference rule (D106): on one of the moves the piece stands attacked as it did before; the referee counts "
    "attacks across the point that the attacker has just left, and those of a horse, elephant or advisor anew",
    "attacker tied": "4.2.3 (D63): the capture would let a new attack through on the attacker's own king; the referee does not look",
    "even trade": "4.2.4 (D51): on one of the moves the attack is one of two equal pieces that can take each other; the referee counts "
    "it where the victim stands in front of its king, although it may take along the line",
    "rooted on one square": "4.2.5 and 4.2.6 (D30): on one of the moves the piece has a true root; the referee drops every root that "
    "stands in front of its king, even where it may take back",
    "king, pawn or home pawn": "4.2.1, 4.2.2 (D60, D67-D70): on one of the moves only a king or pawn attacks, or the victim is a pawn "
    "at home; the referee's looks at newly tied roots and discovered checks do not leave pawns at home out",
    "nobody newly threatened": "4.2: no enemy piece is newly threatened on every move; the referee counts pieces that a newly tied "
    "root had guarded, or that could be taken with a discovered check, without asking for other roots or what stood before",
    "checks": "4.1, 4.3: the two count checks and chases of the same moves differently",
}


def with_ranks_from_one(move):
    return "".join(square[0] + str(int(square[1]) + 1) for square in (move[:2], move[2:]))


def referee(fen, moves):
    ended, value = pyffish.is_optional_game_end("xiangqi", fen, [with_ranks_from_one(move) for move in moves])
    if not ended:
        return "undecided"
    if value == 0:
        return "draw"
    red_to_move = (fen.split()[1] == "w") == (len(moves) % 2 == 0)
    return ("red" if red_to_move == (value < 0) else "black") + "-loses"


def compare(line):
    fields = line.rstrip("\n").split("\t")
    if len(fields) < 4:
        return None
    source, fen, moves, ours = fields[:4]
    theirs = referee(fen, moves.split())
    return source, fen, moves, ours, theirs


def side_that_loses(verdict):
    return {"red-loses": "Red", "black-loses": "Black"}.get(verdict)


def classify(ours, theirs, effects):
    entries = [effect.split(":") for effect in effects.split()]
    guilty = side_that_loses(ours) or side_that_loses(theirs)
    if any("+" in codes and piece == "" for _, piece, codes in entries) or (side_that_loses(ours) and side_that_loses(theirs)):
        return "checks"
    codes = [codes.replace("+", "") for side, piece, codes in entries if side == guilty]
    if side_that_loses(ours):
        chases = [code for code in codes if code and not set(code) - set("motMOT")]
        code = max(chases, key=lambda code: (any(c.isupper() for c in code), "t" in code), default="")
        if any(c.isupper() for c in code):
            return "root through the capturer"
        return "root gone" if "t" in code else "root that may not take back"
    best = max(codes, key=lambda code: (sum(c in "motMOT" for c in code), sum(c != "s" for c in code)), default="")
    if "p" in best:
        return "attacker tied"
    if "e" in best:
        return "even trade"
    if "r" in best:
        return "rooted on one square"
    if set(best) & set("kh"):
        return "king, pawn or home pawn"
    return "standing attack" if set(best) & set("motMOT") else "nobody newly threatened"


def main():
    binary, path = sys.argv[1:3]
    with open(path) as lines, multiprocessing.Pool(3) as pool:
        compared = [result for result in pool.imap(compare, lines, chunksize=500) if result]
    different = [result for result in compared if result[3] != result[4]]
    text = "".join("\t".join(result[:3]) + "\n" for result in different)
    explained = subprocess.run([binary, "-"], input=text, capture_output=True, text=True, check=True).stdout.splitlines()
    classes = collections.defaultdict(list)
    for (_, fen, moves, ours, theirs), line in zip(different, explained, strict=True):
        size = (sum(c.isalpha() for c in fen.split()[0]), len(moves))
        classes[classify(ours, theirs, line.split("\t")[4])].append((size, fen, moves, ours, theirs))
    verdicts = collections.Counter(result[3] for result in compared)
    sources = collections.Counter(result[0] for result in compared)
    listed = lambda counts: ", ".join(f"{count} {name}" for name, count in sorted(counts.items()))
    print("# Made by engine-tests/scripts/repetition_differential.py, which says how. Each class with its smallest window.")
    print(f"# {len(compared)} windows: {listed(sources)}; our verdicts: {listed(verdicts)}; {len(different)} differences.")
    print("class\tcount\tfen\tmoves\tours\treferee\twhy")
    for name, windows in sorted(classes.items(), key=lambda item: -len(item[1])):
        _, fen, moves, ours, theirs = min(windows)
        print("\t".join([name, str(len(windows)), fen, moves, ours, theirs, CLASSES[name]]))


if __name__ == "__main__":
    main()
