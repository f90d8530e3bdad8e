#!/usr/bin/env python3
"""Writes engine-tests/data/perft-differential.tsv: leaf counts of an independent move generator.

Run from the repository root, with the package pyffish (Fairy-Stockfish as a library) installed:

    pip install pyffish==0.0.90
    python3 engine-tests/scripts/perft_differential.py > engine-tests/data/perft-differential.tsv

Columns: FEN (board and side), moves, leaves after two plies. The positions are of two kinds: from random games, every
third of which prefers captures, and constructed by putting random pieces on points where they can stand, with the
generals near each other's lines more often than chance has it.
"""

import random
import pyffish

VARIANT = "xiangqi"
PALACE = [(f, r) for f in (3, 4, 5) for r in (0, 1, 2)]
ADVISOR = [(3, 0), (5, 0), (4, 1), (3, 2), (5, 2)]
ELEPHANT = [(2, 0), (6, 0), (0, 2), (4, 2), (8, 2), (2, 4), (6, 4)]
ALL = [(f, r) for f in range(9) for r in range(10)]
PAWN = [(f, r) for f, r in ALL if r >= 5 or (r >= 3 and f % 2 == 0)]
KINDS = [("a", ADVISOR, 2), ("b", ELEPHANT, 2), ("n", ALL, 2), ("r", ALL, 2), ("c", ALL, 2), ("p", PAWN, 5)]


def fen_of(board, side):
    rows = []
    for rank in range(9, -1, -1):
        row, empty = "", 0
        for file in range(9):
            piece = board.get((file, rank))
            if piece is None:
                empty += 1
                continue
            row += (str(empty) if empty else "") + piece
            empty = 0
        rows.append(row + (str(empty) if empty else ""))
    return "/".join(rows) + " " + side + " - - 0 1"


def constructed(rng):
    """A random position in which the side that is not to move is not in check."""
    while True:
        board = {}
        for upper in (True, False):
            place = (lambda s: s) if upper else (lambda s: (s[0], 9 - s[1]))
            board[place(rng.choice(PALACE))] = "K" if upper else "k"
            density = rng.random()
            for letter, zone, limit in KINDS:
                for _ in range(limit):
                    square = place(rng.choice(zone))
                    if square not in board and rng.random() < density:
                        board[square] = letter.upper() if upper else letter
        side, other = rng.choice([("w", "b"), ("b", "w")])
        if sum(piece in "Kk" for piece in board.values()) != 2:
            continue
        if not pyffish.gives_check(VARIANT, fen_of(board, other), []):
            return fen_of(board, side)


def from_games(rng, wanted):
    fens = set()
    while len(fens) < wanted:
        fen, greedy = pyffish.start_fen(VARIANT), rng.random() < 0.33
        for ply in range(160):
            moves = pyffish.legal_moves(VARIANT, fen, [])
            if not moves:
                break
            captures = [m for m in moves if pyffish.is_capture(VARIANT, fen, [], m)] if greedy else []
            fen = pyffish.get_fen(VARIANT, fen, [rng.choice(captures or moves)])
            if rng.random() < 0.08:
                fens.add(" ".join(fen.split()[:2]) + " - - 0 1")
    return sorted(fens)[:wanted]


def main():
    rng = random.Random(2026)
    fens = from_games(rng, 3000) + [constructed(rng) for _ in range(4000)]
    for fen in fens:
        moves = pyffish.legal_moves(VARIANT, fen, [])
        leaves = sum(len(pyffish.legal_moves(VARIANT, fen, [move])) for move in moves)
        print(" ".join(fen.split()[:2]), len(moves), leaves, sep="\t")


main()
