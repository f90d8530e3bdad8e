#!/usr/bin/env python3
"""Writes random openings with few pieces for matches: one to three attackers for each side and any defenders, kept if
neither decided nor level according to a search of 2000 nodes.

    few_pieces.py CHUHE COUNT [SEED] > openings.fen
    chuhe match --openings openings.fen --engine cmd=CHUHE --engine cmd=CHUHE,option.Use\\ Endgames=false --nodes 5000 …
"""
import argparse
import json
import random
import subprocess

ADVISORS = [(3, 0), (5, 0), (4, 1), (3, 2), (5, 2)]
ELEPHANTS = [(2, 0), (6, 0), (0, 2), (4, 2), (8, 2), (2, 4), (6, 4)]
KINGS = [(file, rank) for file in (3, 4, 5) for rank in (0, 1, 2)]
POINTS = [(file, rank) for file in range(9) for rank in range(10)]
LEAST, MOST = 30, 600


def fen(chance):
    board = {}
    for side in (0, 1):
        def put(points, piece):
            free = [point for point in ((f, r if side == 0 else 9 - r) for f, r in points) if point not in board]
            board[chance.choice(free)] = piece.upper() if side == 0 else piece

        put(KINGS, "k")
        for _ in range(chance.choice((0, 1, 2, 2))):
            put(ADVISORS, "a")
        for _ in range(chance.choice((0, 1, 2, 2))):
            put(ELEPHANTS, "b")
        for _ in range(chance.choice((1, 1, 2, 2, 3))):
            piece = chance.choice("rnncpp")
            put([p for p in POINTS if p[1] >= (5 if piece == "p" else 0)], piece)
    rows = []
    for rank in range(9, -1, -1):
        row, blanks = "", 0
        for file in range(9):
            piece = board.get((file, rank))
            if piece is None:
                blanks += 1
                continue
            row, blanks = row + (str(blanks) if blanks else "") + piece, 0
        rows.append(row + (str(blanks) if blanks else ""))
    return "/".join(rows) + " " + chance.choice("wb") + " - - 0 1"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", metavar="CHUHE")
    parser.add_argument("count", type=int, metavar="COUNT")
    parser.add_argument("seed", type=int, nargs="?", default=1, metavar="SEED")
    arguments = parser.parse_args()
    program, count, chance = arguments.program, arguments.count, random.Random(arguments.seed)
    kept = 0
    while kept < count:
        fens = "\n".join(fen(chance) for _ in range(4 * count))
        arguments = [program, "analyze", "--nodes", "2000", "--json"]
        run = subprocess.run(arguments, input=fens, capture_output=True, text=True, check=False)
        for line in run.stdout.splitlines():
            result = json.loads(line)
            if "lines" not in result or not result["lines"]:
                continue
            score = result["lines"][0]["score"].get("cp")
            if score is not None and LEAST <= abs(score) <= MOST and kept < count:
                print(result["fen"])
                kept += 1


if __name__ == "__main__":
    main()
