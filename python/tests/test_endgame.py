"""Exact endgames."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import chuhe
import pytest

WON = "3ak4/9/b3ba3/9/9/9/9/9/4R4/3K5 w"


def test_results_of_a_position_and_its_moves() -> None:
    endgame = chuhe.Endgame()
    assert "R-D" in endgame.families and endgame.families == sorted(endgame.families)
    board = chuhe.Board(WON)
    assert endgame.probe(board) == ("win", 17, False)
    moves = endgame.moves(board)
    assert set(moves) == set(board.legal_moves())
    best, exact = next(iter(moves.items()))
    assert best == "e1e7" and exact is not None and (exact.result, exact.plies) == ("win", 17)
    assert list(moves.values())[1] == chuhe.Exact("draw", None, False)
    # The result of a move is the inverse of the opponent's result after it.
    for move, exact in moves.items():
        board.push(move)
        after = endgame.probe(board)
        board.pop()
        if exact is not None and after is not None:
            assert {"win": "loss", "draw": "draw", "loss": "win"}[exact.result] == after.result
            assert exact.plies == (None if after.plies is None else after.plies + 1)


def test_best_play_ends_in_mate() -> None:
    endgame, board = chuhe.Endgame(), chuhe.Board(WON)
    line = endgame.best_line(board)
    assert len(line) == 17
    for move in line:
        board.push(move)
    assert not board.legal_moves()


def test_unknown_positions_and_folders(tmp_path: Path) -> None:
    assert chuhe.Endgame().probe(chuhe.Board()) is None
    assert chuhe.Endgame().best_line(chuhe.Board()) == []
    with pytest.raises(FileNotFoundError):
        chuhe.Endgame(tmp_path / "nowhere")
    assert chuhe.Endgame(tmp_path).probe(chuhe.Board(WON)) == ("win", 17, False)
    (tmp_path / "RR-D.egt").write_bytes(b"no table")
    with pytest.raises(chuhe.Error, match="RR-D.egt"):
        chuhe.Endgame(tmp_path)


def test_threads_share_tables() -> None:
    endgame = chuhe.Endgame()
    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(lambda _: endgame.probe(chuhe.Board(WON)), range(64))) == {("win", 17, False)}
