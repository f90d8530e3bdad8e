"""Libraries of games, as used by ``chuhe library``."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from . import _chuhe

if TYPE_CHECKING:
    from os import PathLike

    from ._chuhe import Board


class Hit(NamedTuple):
    """A game found by a search."""

    game: int
    """Number of the game, from 1."""
    ply: int | None
    """Plies before the matching position, if the query has a position."""
    mirrored: bool
    """Whether the mirror image of the query matches."""


class Summary(NamedTuple):
    """Summary of a game for a list."""

    game: int
    variant_of: int | None
    """The game with the same moves of which this is a variant."""
    red: str | None
    black: str | None
    event: str | None
    site: str | None
    date: str | None
    """As in PGN."""
    round: str | None
    result: Literal["1-0", "0-1", "1/2-1/2", "*"]
    plies: int
    opening: str | None


class ExploredMove(NamedTuple):
    """A move played from a position, and the results of its games."""

    move: str
    games: int
    red_wins: int
    draws: int
    black_wins: int
    last_year: int | None
    players: list[tuple[str, int]]
    """The players who played it most often, with the number of their games."""
    latest: int
    """The most recent game with it."""


class Explored(NamedTuple):
    """The moves played from a position."""

    games: int
    moves: list[ExploredMove]
    latest: list[int]


class Added(NamedTuple):
    """The outcome of adding files."""

    files: int
    known_files: int
    failed_files: int
    games: int
    variants: int
    duplicates: int
    failed_games: int
    notes: list[str]
    """Warnings and failures, one line each."""


class Library(_chuhe.Library):
    """A library of games in a file, created if it does not exist. Its games are numbered from 1 to ``len(library)``."""

    def add(self, *files: str | PathLike[str], format: str | None = None, encoding: str | None = None) -> Added:
        """Adds the games of files. A file whose contents were added before is skipped; a file or game that cannot be read is reported in ``notes``."""
        counts, notes = self._add(list(files), format, encoding)
        return Added(**json.loads(counts), notes=notes)

    def add_records(self, records: Iterable[_chuhe.Record]) -> list[int]:
        """Adds records, and returns the numbers of their games."""
        return [self.add_record(record)[0] for record in records]

    def summary(self, game: int) -> Summary:
        """The summary of a game."""
        return Summary(*self._summary(game))

    def search(
        self,
        position: str | Board | None = None,
        *,
        pattern: str | None = None,
        material: str | None = None,
        mirror: bool = True,
        player: str | None = None,
        opponent: str | None = None,
        red: str | None = None,
        black: str | None = None,
        event: str | None = None,
        site: str | None = None,
        opening: str | None = None,
        date: str | None = None,
        result: Literal["1-0", "0-1", "1/2-1/2", "*"] | None = None,
        plies: str | None = None,
        comment: str | None = None,
    ) -> list[Hit]:
        """The games that match all criteria, by number. The criteria are those of ``chuhe library search``."""
        # A copy: a debugger changes the dictionary of local variables while it is read (Python 3.12).
        criteria: dict[str, Any] = {name: value for name, value in dict(locals()).items() if name != "self"}
        return [Hit(*hit) for hit in self._search(criteria)]

    def explore(self, board: Board, latest: int = 10) -> Explored:
        """The moves played from a position, most frequent first, and this many of the most recent games."""
        games, moves, last = self._explore(board, latest)
        return Explored(games, [ExploredMove(*move) for move in moves], last)

    def stats(self, top: int = 10) -> dict[str, Any]:
        """Counts of games, results, players and openings, as ``chuhe library stats --json`` prints them."""
        return dict(json.loads(self._stats(top)))
