"""Puzzles: what ``chuhe puzzles`` finds in games, from Python."""

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
    """A position with one solution. The side to move solves.

    >>> import chuhe
    >>> puzzle = chuhe.puzzles()[0]
    >>> puzzle.check(puzzle.solution)
    True
    """

    fen: str
    goal: Literal["mate", "win", "draw"]
    moves: int
    """Own moves of the solution."""
    solution: tuple[str, ...]
    """The main line, moves such as ``h2e2``."""
    variations: tuple[tuple[str, ...], ...]
    """The other lines of the solution, each from the start."""
    rating: int
    nodes: int | None
    """Nodes that a weak search needed; ``None`` where it did not find the solution."""
    tags: tuple[str, ...]
    source: dict[str, Any] = field(hash=False)
    """File, game and ply that it is from, and the players."""
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
        """The solution as a game record with its tags, as ``chuhe puzzles`` writes it to PGN."""
        return _chuhe._puzzle_record(self._line)

    def answers(self, played: Sequence[str] = ()) -> list[str]:
        """The moves that are accepted, or the defences that are answered, after these moves; none where the solution ends or was left."""
        count = len(played)
        found = (line[count] for line in self.lines if len(line) > count and line[:count] == tuple(played))
        return list(dict.fromkeys(found))

    def check(self, played: Sequence[str]) -> bool:
        """Whether these moves of both sides, from the position on, are a whole line of the solution."""
        return tuple(played) in self.lines


def puzzles(path: str | PathLike[str] | None = None) -> list[Puzzle]:
    """The puzzles of a file of JSON Lines or PGN; without one the built-in ones, the easiest first."""
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
