#!/usr/bin/env python3
"""Runs the tasks of docs/src/users/compare.md with the Python packages chess, cchess and pyffish.

    python3 -m venv venv && venv/bin/pip install chess==1.11.2 cchess==1.25.5 pyffish==0.0.90
    venv/bin/python engine-tests/scripts/compare_libraries.py [GAME…]

Each line is a task and its result. The games are files of any format.
"""

import io
import sys

import cchess
import chess
import chess.engine
import chess.pgn
import chess.variant
import pyffish

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"


def attempt(name, task):
    try:
        print(f"{name}: {task()}")
    except Exception as error:  # A package may raise anything.
        print(f"{name}: {type(error).__name__}: {str(error)[:80]}")


def plies(path):
    lines = cchess.Game.read_from(path).dump_moves()
    return f"{len(lines)} lines, the first of {len(lines[0]['moves']) if lines else 0} plies"


def main():
    attempt("chess, variants", lambda: [variant.uci_variant for variant in chess.variant.VARIANTS])
    attempt("chess, xiangqi's start position", lambda: chess.Board(START))
    game = chess.pgn.read_game(io.StringIO("1. C2=5 H8+7 *"))
    attempt("chess, moves of xiangqi in PGN", lambda: f"{len(list(game.mainline_moves()))} of 2 read")
    attempt("chess, protocols", lambda: [name for name in dir(chess.engine) if name.endswith("iProtocol") or name.startswith("XBoard")])
    attempt("pyffish, legal moves", lambda: len(pyffish.legal_moves("xiangqi", START, [])))
    for notation in sorted(name for name in dir(pyffish) if name.startswith("NOTATION_")):
        attempt(f"pyffish, {notation}", lambda: pyffish.get_san("xiangqi", START, "h3e3", False, getattr(pyffish, notation)))
    loop = ["h1g3", "h10g8", "g3h1", "g8h10"] * 2
    attempt("pyffish, a third occurrence", lambda: pyffish.is_optional_game_end("xiangqi", START, loop))
    board = cchess.ChessBoard(cchess.FULL_INIT_FEN)
    attempt("cchess, legal moves", lambda: sum(1 for _ in board.create_moves()))
    attempt("cchess, a move in Chinese", lambda: board.move_text("炮二平五"))
    attempt("cchess, repetition", lambda: [name for name in dir(cchess.Game) + dir(cchess.ChessBoard) if "repet" in name.lower()])
    for path in sys.argv[1:]:
        attempt(f"cchess, {path}", lambda: plies(path))


if __name__ == "__main__":
    main()
