"""Exact endgames: results from endgame tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from . import _chuhe

if TYPE_CHECKING:
    from ._chuhe import Board


class Exact(NamedTuple):
    """An exact result."""

    result: Literal["win", "draw", "loss"]
    """For the side to move, or the side that plays the move."""
    plies: int | None
    """Plies to mate or stalemate with best play; ``None`` for a draw."""
    by_repetition: bool
    """Whether the win depends on the rules of repetition."""


class Endgame(_chuhe.Endgame):
    """Endgame tables: the built-in ones and, with a path, those in a folder written by ``chuhe endgame build``.

    A folder that cannot be opened raises the ``OSError`` that ``open`` would, a damaged table raises ``chuhe.Error``.
    """

    def probe(self, board: Board) -> Exact | None:
        """The exact result of a position for the side to move, regardless of its history; ``None`` if no table contains it."""
        found = self._probe(board)
        return None if found is None else Exact(*found)

    def moves(self, board: Board) -> dict[str, Exact | None]:
        """The exact result of each legal move for the side that plays it, best first; ``None`` if no table contains the position after it."""
        return {move: None if exact is None else Exact(*exact) for move, exact in self._moves(board)}
