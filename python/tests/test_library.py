"""Libraries of games."""

import _thread
import sqlite3
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import FrameType
from typing import Any

import chuhe
import pytest

GAMES = """[Event "Cup"]
[Date "1981.01.05"]
[Red "胡荣华"]
[Black "Yang"]
[Result "1-0"]

1. h2e2 {sharp} h9g7 2. h0g2 i9h9 1-0

[Event "League"]
[Date "2006.07.14"]
[Red "Lü"]
[Black "胡荣华"]
[Result "1/2-1/2"]

1. b2e2 b9c7 2. b0c2 (2. g0e2) a9b9 1/2-1/2
"""


def filled(folder: Path) -> chuhe.Library:
    (folder / "games.pgn").write_text(GAMES, encoding="utf-8")
    library = chuhe.Library(folder / "games.chuhe")
    assert library.add(folder / "games.pgn")[:4] == (1, 0, 0, 2)
    return library


def test_games_are_found_by_every_criterion(tmp_path: Path) -> None:
    library = filled(tmp_path)
    assert len(library) == 2 and library.check() == []

    def games(*position: chuhe.Board, **criteria: str | bool) -> list[int]:
        return [hit.game for hit in library.search(*position, **criteria)]  # type: ignore[arg-type]

    board = chuhe.Board(moves=["h2e2", "h9g7"])
    assert library.search(board) == [chuhe.Hit(1, 2, False), chuhe.Hit(2, 2, True)]
    assert games(board, mirror=False) == [1]
    assert games(player="胡") == [1, 2] and games(player="胡", opponent="lü") == [2]
    assert games(red="胡") == [1] and games(black="胡") == [2]
    assert games(event="league") == [2] and games(date="1981") == [1] and games(result="1-0") == [1]
    assert games(plies="..4") == [1, 2] and games(comment="SHARP") == [1] and games(opening="Central Cannon") == [1, 2]
    assert games(pattern="Ce2 ng7", mirror=False) == [1] and games(material="R-") == []
    for wrong in ({"pattern": "Qe2"}, {"material": "R"}, {"date": "soon"}, {"result": "won"}, {"plies": "x"}):
        with pytest.raises(chuhe.Error, match="expected"):
            library.search(**wrong)  # type: ignore[arg-type]


def test_records_survive_the_round_trip(tmp_path: Path) -> None:
    library = filled(tmp_path)
    for game, record in enumerate(chuhe.Records(tmp_path / "games.pgn"), 1):
        assert library.record(game) == record
        assert library.add_record(record) == (game, False)
    assert library.summary(2) == (2, None, "Lü", "胡荣华", "League", None, "2006.07.14", None, "1/2-1/2", 4, library.summary(2).opening)
    assert library.sources(2) == [(tmp_path / "games.pgn", 2)]
    assert library.add(tmp_path / "games.pgn").known_files == 1
    new = chuhe.Record()
    new.root.add("炮二平五")
    assert library.add_records([new]) == [3]
    for what in (library.record, library.sources, library.summary):
        with pytest.raises(chuhe.Error, match="no game 9, expected 1 to 3"):
            what(9)
        for wrong in (-1, 2**40):
            with pytest.raises(chuhe.Error, match=f"no game {wrong}"):
                what(wrong)
    with pytest.raises(chuhe.Error, match="latest -1: expected 0 or more"):
        library.explore(chuhe.Board(), -1)
    with pytest.raises(chuhe.Error, match="top -1: expected 0 or more"):
        library.stats(-1)


def test_a_debugger_may_watch_a_search(tmp_path: Path) -> None:
    library = filled(tmp_path)

    def watch(frame: FrameType, event: str, argument: object) -> Any:
        assert frame.f_locals is not None
        return watch

    before = sys.gettrace()
    sys.settrace(watch)
    try:
        found = library.search(player="Yang")
    finally:
        sys.settrace(before)
    assert [hit.game for hit in found] == [1]


def test_adding_can_be_interrupted_and_continued(tmp_path: Path) -> None:
    games = "".join(f'[Round "{number}"]\n\n1. h2e2 h9g7 2. h0g2 {{{number}}} *\n\n' for number in range(100_000))
    (tmp_path / "many.pgn").write_text(games)
    library = chuhe.Library(tmp_path / "games.chuhe")
    threading.Timer(0.3, _thread.interrupt_main).start()
    with pytest.raises(KeyboardInterrupt):
        library.add(tmp_path / "many.pgn")
    before = len(library)
    assert library.add(tmp_path / "many.pgn").files == 1 and before < len(library) == 100_000


def test_an_existing_library_is_opened_without_writing(tmp_path: Path) -> None:
    filled(tmp_path)
    # Another process holds the lock for writing; a read-only file cannot be locked either.
    writer = sqlite3.connect(tmp_path / "games.chuhe", isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    assert len(chuhe.Library(tmp_path / "games.chuhe").search(player="Yang")) == 1
    writer.close()


def test_moves_of_a_position_are_explored(tmp_path: Path) -> None:
    library = filled(tmp_path)
    explored = library.explore(chuhe.Board())
    # The start position is its own mirror image, so the mirrored second game is counted with its own move.
    assert explored.games == 2 and explored.latest == [2, 1]
    assert [(found.move, found.games) for found in library.explore(chuhe.Board(moves=["h2e2"])).moves] == [("h9g7", 2)]
    first = library.explore(chuhe.Board(moves=["h2e2"])).moves[0]
    assert (first.red_wins, first.draws, first.black_wins, first.last_year) == (1, 1, 0, 2006)
    assert library.stats()["players"][0] == {"name": "胡荣华", "games": 2, "wins": 1, "draws": 1, "losses": 0}
    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(lambda _: library.explore(chuhe.Board()).games, range(32))) == {2}


def test_files_that_are_not_libraries_are_rejected(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("notes of some length, no library of games")
    with pytest.raises(chuhe.Error, match="not a library of games"):
        chuhe.Library(tmp_path / "notes")
    with pytest.raises(IsADirectoryError):
        chuhe.Library(tmp_path)
    with pytest.raises(FileNotFoundError):
        chuhe.Library(tmp_path / "nowhere" / "games.chuhe")
    library = filled(tmp_path)
    added = library.add(tmp_path / "nowhere.pgn")
    assert added.failed_files == 1 and "nowhere.pgn" in added.notes[0]
