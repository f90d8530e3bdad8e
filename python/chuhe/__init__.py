"""Xiangqi (Chinese chess): positions, legal moves, notations, rules of repetition, game records, opening books, an engine.

>>> import chuhe
>>> board = chuhe.Board()
>>> board.push_text("炮二平五")
'h2e2'
>>> board.write("h9g7", "wxr")
'H8+7'
>>> chuhe.Engine().play(board, nodes=1000) in board.legal_moves()
True

Moves are strings such as ``h2e2``; every class reads and writes the notations in ``chuhe.SYSTEMS``. Invalid input raises ``chuhe.Error``, a
``ValueError`` with a message of one line that says what was expected; a file that cannot be opened raises the ``OSError`` that ``open``
would. ``EngineProcess`` drives other engines.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ._chuhe import FORMATS, RULES, START_FEN, SYSTEMS, Board, Book, Error, Network, Node, Record, Records, Ruling
from ._chuhe import VERSION as __version__
from ._chuhe import evaluate as _evaluate
from .endgame import Endgame, Exact
from .engine import Engine
from .library import Added, Explored, ExploredMove, Hit, Library, Summary
from .process import EngineCrashed, EngineOption, EngineProcess, EngineProcessError, EngineTimeout
from .puzzle import Puzzle, puzzles
from .results import Giveaway, Line, MoveReview, ProcessLine, ProcessResult, Result, Review, Score, accuracy_table

if TYPE_CHECKING:
    import numpy
    import numpy.typing

__all__ = [
    "FORMATS",
    "RULES",
    "START_FEN",
    "SYSTEMS",
    "Added",
    "Board",
    "Book",
    "Endgame",
    "Engine",
    "EngineCrashed",
    "EngineOption",
    "EngineProcess",
    "EngineProcessError",
    "EngineTimeout",
    "Error",
    "Exact",
    "Explored",
    "ExploredMove",
    "Giveaway",
    "Hit",
    "Library",
    "Line",
    "MoveReview",
    "Network",
    "Node",
    "ProcessLine",
    "ProcessResult",
    "Puzzle",
    "Record",
    "Records",
    "Result",
    "Review",
    "Ruling",
    "Score",
    "Summary",
    "__version__",
    "accuracy_table",
    "evaluate",
    "puzzles",
]


def evaluate(
    positions: Sequence[str] | Sequence[Board], network: Network | None = None, threads: int = 1
) -> numpy.typing.NDArray[numpy.int16]:
    """Evaluates positions, given as FENs or boards, by the network: centipawns for the side to move.

    There is no search, so values in check or in the middle of exchanges are unreliable.
    """
    import numpy

    # Copied, because an array in the memory of bytes cannot be changed.
    return numpy.frombuffer(_evaluate(list(positions), network, threads), dtype=numpy.int16).copy()
