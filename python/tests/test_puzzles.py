"""Puzzles."""

from pathlib import Path

import chuhe
import pytest


def test_the_built_in_puzzles() -> None:
    puzzles = chuhe.puzzles()
    assert len(puzzles) == len({puzzle.fen for puzzle in puzzles}) == 300
    assert {puzzle.goal for puzzle in puzzles} == {"mate", "win", "draw"}
    for puzzle in puzzles:
        board = puzzle.board
        assert len(puzzle.solution) == 2 * puzzle.moves - 1
        for ply, move in enumerate(puzzle.solution):
            assert move == puzzle.answers(puzzle.solution[:ply])[0]
            board.push(move)
        assert puzzle.check(puzzle.solution) and not puzzle.check(puzzle.solution[:-1]) and not puzzle.answers(puzzle.solution)
        if puzzle.goal == "mate":
            assert board.legal_moves() == []


def test_puzzles_of_a_file(tmp_path: Path) -> None:
    first = chuhe.puzzles()[0]
    path = tmp_path / "one.pgn"
    first.record.save(path)
    (again,) = chuhe.puzzles(path)
    assert (again.fen, set(again.lines), again.tags, again.rating) == (first.fen, set(first.lines), first.tags, first.rating)
    assert again.record.tag("PuzzleGoal") == first.goal
    (tmp_path / "bad.jsonl").write_text('{"fen": 1}\n')
    with pytest.raises(chuhe.Error, match=r"bad\.jsonl: line 1: "):
        chuhe.puzzles(tmp_path / "bad.jsonl")
    with pytest.raises(FileNotFoundError):
        chuhe.puzzles(tmp_path / "none.pgn")
