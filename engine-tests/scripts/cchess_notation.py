#!/usr/bin/env python3
"""Writes engine-tests/data/cchess-notation.tsv: moves in the notation of the Python package cchess 1.25.5.

    pip install cchess==1.25.5
    python3 engine-tests/scripts/cchess_notation.py > engine-tests/data/cchess-notation.tsv

One line per position: FEN, then every legal move (by cchess) as coordinates and text, `h2e2 炮二平五`. The positions are from
random play and from random placements that put like pieces on one file. The output contains only facts: positions, moves and
their notation.
"""
import random

from cchess import FULL_INIT_FEN, ChessBoard

RANDOM = random.Random(2018)
# Points that a red piece can stand on, as (x, y); those of Black are mirrored.
PALACE = [(x, y) for x in (3, 4, 5) for y in (0, 1, 2)]
ADVISORS = [(3, 0), (5, 0), (4, 1), (3, 2), (5, 2)]
ELEPHANTS = [(2, 0), (6, 0), (0, 2), (4, 2), (8, 2), (2, 4), (6, 4)]
ANYWHERE = [(x, y) for x in range(9) for y in range(10)]
PAWNS = [(x, y) for x in range(9) for y in range(5, 10)] + [(x, y) for x in (0, 2, 4, 6, 8) for y in (3, 4)]
ZONES = {"A": ADVISORS, "B": ELEPHANTS, "N": ANYWHERE, "R": ANYWHERE, "C": ANYWHERE}
PAWN_SHAPES = [(2,), (3,), (4,), (5,), (2, 2), (3, 2), (2, 2, 1), (1, 1, 1)]


def legal_moves(board):
    moves = []
    for start, end in board.create_moves():
        if not board.is_valid_move(start, end):
            continue
        after = board.copy()
        after._move_piece(start, end)
        after.move_player.next()
        # Whether the king of the side that has just moved can be taken.
        if not after.is_checking():
            moves.append((start, end))
    return moves


def in_check_wrongly(board):
    """Whether the side to move could take the king."""
    return board.is_checking()


def placed(pieces, letter, zone, red, file=None):
    points = [(x, y if red else 9 - y) for x, y in zone if file is None or x == file]
    points = [point for point in points if point not in pieces]
    if not points:
        return None
    point = RANDOM.choice(points)
    pieces[point] = letter if red else letter.lower()
    return point


def tandem_fen():
    pieces = {}
    for red in (True, False):
        placed(pieces, "K", PALACE, red)
        for letter, zone in ZONES.items():
            if RANDOM.random() < 0.3:
                continue
            point = placed(pieces, letter, zone, red)
            if RANDOM.random() < 0.7:
                placed(pieces, letter, zone, red, point[0] if RANDOM.random() < 0.7 else None)
        for count in RANDOM.choice(PAWN_SHAPES):
            file = RANDOM.randrange(9)
            for _ in range(count):
                if sum(piece.upper() == "P" and piece.isupper() == red for piece in pieces.values()) < 5:
                    placed(pieces, "P", PAWNS, red, file)
    rows = []
    for y in range(9, -1, -1):
        row, empty = "", 0
        for x in range(9):
            piece = pieces.get((x, y))
            if piece is None:
                empty += 1
                continue
            row += (str(empty) if empty else "") + piece
            empty = 0
        rows.append(row + (str(empty) if empty else ""))
    return "/".join(rows) + " " + RANDOM.choice("wb")


def positions():
    for _ in range(8):
        board = ChessBoard(FULL_INIT_FEN)
        for ply in range(120):
            moves = legal_moves(board)
            if not moves:
                break
            if ply % 5 == 0:
                yield board.copy()
            board.move(*RANDOM.choice(moves))
            board.next_turn()
    found = 0
    while found < 250:
        board = ChessBoard(tandem_fen())
        if not in_check_wrongly(board) and legal_moves(board):
            found += 1
            yield board


for board in positions():
    names = []
    for start, end in legal_moves(board):
        move = board.copy().move(start, end)
        names.append(f"{move.to_iccs()} {move.to_text()}")
    print(board.to_fen(), *names, sep="\t")
