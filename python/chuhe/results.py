"""What searches return: the objects that ``chuhe analyze`` prints as JSON, with their types."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    import pandas


class Score(TypedDict, total=False):
    """Either ``cp``, centipawns, or ``mate``, moves to mate; from the view of the side to move."""

    cp: int
    mate: int


class Line(TypedDict):
    """One of the best lines."""

    multipv: int
    score: Score
    wdl: list[int]
    """Chances to win, draw and lose in thousandths."""
    pv: list[str]
    pv_wxr: list[str]
    pv_chinese: list[str]


class Result(TypedDict):
    """What a search found in one position."""

    fen: str
    depth: int
    nodes: int
    time_ms: int
    lines: list[Line]
    bestmove: str | None


class Accuracy(TypedDict):
    """Accuracy of both players, 0 to 100; none for a player who has not moved."""

    red: float | None
    black: float | None


MoveReview = TypedDict(
    "MoveReview",
    {
        "ply": int,
        "side": str,
        "move": str,
        "text": str,
        "red_expectation": float,
        "loss": float,
        "loss_cp": "int | None",
        "judgement": str,
        "better": "list[str]",
        "better_move": "str | None",
    },
)


class Review(TypedDict):
    """A game with every move of its main line judged."""

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
    start_expectation: float


def accuracy_table(reviews: Iterable[Review]) -> pandas.DataFrame:
    """One row a game and player: player, side, opponent, result, accuracy, blunders, mistakes, plies."""
    import pandas

    rows = []
    for review in reviews:
        tags = dict(review["tags"])
        players = {"red": tags.get("Red", "?"), "black": tags.get("Black", "?")}
        for side, opponent in (("red", "black"), ("black", "red")):
            own = [move for move in review["moves"] if move["side"] == side]
            rows.append(
                {
                    "player": players[side],
                    "side": side,
                    "opponent": players[opponent],
                    "result": review["result"],
                    "accuracy": review["accuracy"]["red" if side == "red" else "black"],
                    "blunders": sum(move["judgement"] == "blunder" for move in own),
                    "mistakes": sum(move["judgement"] == "mistake" for move in own),
                    "plies": len(own),
                    "opening": review["opening"],
                }
            )
    columns = ["player", "side", "opponent", "result", "accuracy", "blunders", "mistakes", "plies", "opening"]
    return pandas.DataFrame(rows, columns=columns)
