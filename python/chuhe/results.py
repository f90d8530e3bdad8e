"""Types of search results: the objects that ``chuhe analyze`` prints as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, TypedDict

from ._chuhe import _player_name

if TYPE_CHECKING:
    import pandas


class Score(TypedDict, total=False):
    """Either ``cp``, centipawns, or ``mate``, moves to mate; from the point of view of the side to move."""

    cp: int
    mate: int


class Line(TypedDict):
    """One of the best lines."""

    multipv: int
    score: Score
    wdl: list[int]
    """Probabilities of win, draw and loss in thousandths."""
    pv: list[str]
    pv_wxr: list[str]
    pv_chinese: list[str]


class _ProcessLine(TypedDict):
    multipv: int
    score: Score
    pv: list[str]
    pv_wxr: list[str]
    pv_chinese: list[str]


class ProcessLine(_ProcessLine, total=False):
    """One of the best lines of another engine; ``wdl`` is present if the engine reports it."""

    wdl: list[int]


class ProcessResult(TypedDict):
    """The result of another engine's search of a position."""

    fen: str
    depth: int
    nodes: int
    time_ms: int
    lines: list[ProcessLine]
    bestmove: str | None


class _Result(TypedDict):
    fen: str
    depth: int
    nodes: int
    time_ms: int
    lines: list[Line]
    bestmove: str | None


class Result(_Result, total=False):
    """The result of a search of a position; ``ended`` is present if the rules had already decided the game: ``red-loses``, ``black-loses``
    or ``draw``."""

    ended: str


class Accuracy(TypedDict):
    """Accuracy of both players, 0 to 100; ``None`` for a player without a move after the opening book."""

    red: float | None
    black: float | None


class Giveaway(TypedDict):
    """A move that changed the exact result of an endgame."""

    text: str
    before: str
    """The result with best play before the move, ``win``, ``draw`` or ``loss``; ``after`` is that after it."""
    after: str
    plies: int
    keeping: list[str]
    """The moves that keep the result."""
    proof: list[str]


class _MoveReview(TypedDict):
    ply: int
    side: str
    move: str
    text: str
    red_expectation: float
    loss: float
    loss_cp: int | None
    judgement: str


class MoveReview(_MoveReview, total=False):
    """A judged move; ``better`` and ``better_move`` are present after a loss, ``endgame`` if it gave away an exact result."""

    better: list[str]
    better_move: str
    endgame: Giveaway


class _Review(TypedDict):
    game: int
    plies: int
    tags: list[tuple[str, str]]
    result: str
    opening: str | None
    accuracy: Accuracy
    moves: list[MoveReview]
    blunders: list[int]
    verdict: str
    reasons: list[str]
    reasons_chinese: list[str]
    ended_after_ply: int | None
    """The ply after which the rules had decided the game, if moves follow it; these are ``unjudged``."""
    start_expectation: float


class Review(_Review, total=False):
    """A game with every move of its main line judged; ``warnings`` are present if the record was read with some."""

    warnings: list[str]
    warnings_chinese: list[str]


def accuracy_table(reviews: Iterable[Review]) -> pandas.DataFrame:
    """One row per game and player: game, player, side, opponent, result, accuracy, blunders, mistakes, plies, judged, opening.

    ``judged`` counts the moves outside the opening book, over which ``accuracy`` is averaged; without such moves it is missing.

    ``game`` is the number of the review, from 1. Unnamed players are counted as different people, with names such as ``Red of game 3``.
    """
    import pandas

    rows = []
    for game, review in enumerate(reviews, 1):
        players = {}
        for side in ("Red", "Black"):
            # As `Record.tag`: names of tags are read in any case, and empty ones do not count.
            name = _player_name(next((value for tag, value in review["tags"] if tag.lower() == side.lower() and value), ""))
            players[side.lower()] = name or f"{side} of game {game}"
        for side, opponent in (("red", "black"), ("black", "red")):
            own = [move for move in review["moves"] if move["side"] == side]
            rows.append(
                {
                    "game": game,
                    "player": players[side],
                    "side": side,
                    "opponent": players[opponent],
                    "result": review["result"],
                    "accuracy": review["accuracy"]["red" if side == "red" else "black"],
                    "blunders": sum(move["judgement"] == "blunder" for move in own),
                    "mistakes": sum(move["judgement"] == "mistake" for move in own),
                    "plies": len(own),
                    "judged": sum(move["judgement"] not in ("book", "unjudged") for move in own),
                    "opening": review["opening"],
                }
            )
    columns = ["game", "player", "side", "opponent", "result", "accuracy", "blunders", "mistakes", "plies", "judged", "opening"]
    return pandas.DataFrame(rows, columns=columns).astype({"accuracy": float})
