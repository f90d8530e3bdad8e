"""Puzzles, as found in games by ``chuhe puzzles``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from . import _chuhe

if TYPE_CHECKING:
    from os import PathLike

    from ._chuhe import Board, Record


@dataclass(frozen=True)
class Puzzle:
    """A position with a unique solution, to be found by the side to move.

    >>> import chuhe
    >>> puzzle = chuhe.puzzles()[0]
    >>> puzzle.check(puzzle.solution)
    True
    """

    fen: str
    goal: Literal["mate", "win", "draw"]
    moves: int
    """Number of moves of the solving side."""
    solution: tuple[str, ...]
    """The main line, moves such as ``h2e2``."""
    variations: tuple[tuple[str, ...], ...]
    """The other lines of the solution, each from the puzzle's position."""
    rating: int
    nodes: int | None
    """Nodes that a weak search needed; ``None`` if it did not find the solution."""
    tags: tuple[str, ...]
    source: dict[str, Any] = field(hash=False)
    """File, game and ply of its origin, and the players."""
    _line: str = field(repr=False, compare=False)

    @property
    def lines(self) -> tuple[tuple[str, ...], ...]:
        """All lines of the solution, the main line first."""
        return (self.solution, *self.variations)

    @property
    def board(self) -> Board:
        """The position."""
        return _chuhe.Board(self.fen)

    @property
    def record(self) -> Record:
        """The solution as a game record with tags, as written to PGN by ``chuhe puzzles``."""
        return _chuhe._puzzle_record(self._line)

    def answers(self, played: Sequence[str] = ()) -> list[str]:
        """The accepted moves, or the defences in the solution, after these moves; empty at the end of the solution and outside it."""
        count = len(played)
        found = (line[count] for line in self.lines if len(line) > count and line[:count] == tuple(played))
        return list(dict.fromkeys(found))

    def check(self, played: Sequence[str]) -> bool:
        """Whether these moves of both sides, from the puzzle's position, are a complete line of the solution."""
        return tuple(played) in self.lines


def puzzles(path: str | PathLike[str] | None = None) -> list[Puzzle]:
    """The puzzles of a JSON Lines or PGN file; by default the built-in ones, easiest first."""
    return [_puzzle(line) for line in _chuhe._puzzles(path)]


def _puzzle(line: str) -> Puzzle:
    form = json.loads(line)
    return Puzzle(
        fen=form["fen"],
        goal=form["goal"],
        moves=form["moves"],
        solution=tuple(form["solution"]),
        variations=tuple(tuple(moves) for moves in form.get("variations", [])),
        rating=form["rating"],
        nodes=form["nodes"],
        tags=tuple(form["tags"]),
        source=form["source"],
        _line=line,
    )
