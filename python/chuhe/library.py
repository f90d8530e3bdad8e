"""Libraries of games: what ``chuhe library`` keeps, from Python."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from . import _chuhe

if TYPE_CHECKING:
    from os import PathLike

    from ._chuhe import Board


class Hit(NamedTuple):
    """A game that was found."""

    game: int
    """Its number, from 1."""
    ply: int | None
    """Plies before the position, where one was asked for."""
    mirrored: bool
    """Whether it is the mirror image of what was asked for."""


class Summary(NamedTuple):
    """What a list shows of a game."""

    game: int
    variant_of: int | None
    """The game whose moves it has."""
    red: str | None
    black: str | None
    event: str | None
    site: str | None
    date: str | None
    """As PGN writes it."""
    round: str | None
    result: Literal["1-0", "0-1", "1/2-1/2", "*"]
    plies: int
    opening: str | None


class ExploredMove(NamedTuple):
    """A move that was played from a position, and what became of it."""

    move: str
    games: int
    red_wins: int
    draws: int
    black_wins: int
    last_year: int | None
    players: list[tuple[str, int]]
    """Who played it most often, and how often."""
    latest: int
    """The latest game with it."""


class Explored(NamedTuple):
    """What was played from a position."""

    games: int
    moves: list[ExploredMove]
    latest: list[int]


class Added(NamedTuple):
    """What adding has done."""

    files: int
    known_files: int
    failed_files: int
    games: int
    variants: int
    duplicates: int
    failed_games: int
    notes: list[str]
    """Warnings and failures, a line each."""


class Library(_chuhe.Library):
    """A library of games in a file, begun where there is none. Its games are numbered from 1 to ``len(library)``."""

    def add(self, *files: str | PathLike[str], format: str | None = None, encoding: str | None = None) -> Added:
        """Adds the games of files. A file whose contents were added before is left alone; a file or game that cannot be read is reported in ``notes``."""
        counts, notes = self._add(list(files), format, encoding)
        return Added(**json.loads(counts), notes=notes)

    def add_records(self, records: Iterable[_chuhe.Record]) -> list[int]:
        """Adds records, and gives the numbers of their games."""
        return [self.add_record(record)[0] for record in records]

    def summary(self, game: int) -> Summary:
        """What a list shows of a game."""
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
        """The games that have all that is asked for, by number. The criteria are those of ``chuhe library search``."""
        criteria: dict[str, Any] = {name: value for name, value in locals().items() if name != "self"}
        return [Hit(*hit) for hit in self._search(criteria)]

    def explore(self, board: Board, latest: int = 10) -> Explored:
        """The moves played from a position, the most frequent first, and this many of the latest games."""
        games, moves, last = self._explore(board, latest)
        return Explored(games, [ExploredMove(*move) for move in moves], last)

    def stats(self, top: int = 10) -> dict[str, Any]:
        """Counts of games, results, players and openings, as ``chuhe library stats --json`` prints them."""
        return dict(json.loads(self._stats(top)))
