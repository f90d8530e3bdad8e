"""Searches and evaluations."""

import asyncio
import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import chuhe
import numpy
import pytest
from chuhe import Engine
from conftest import random_boards

MATE = "3k5/9/9/9/9/9/9/9/R8/R3K4 w"


def test_analysis_results_have_the_form_of_chuhe_analyze() -> None:
    lines: list[chuhe.Result] = []
    result = Engine().analyse(chuhe.Board(), nodes=5000, multipv=3, on_line=lines.append)
    assert [line["multipv"] for line in result["lines"]] == [1, 2, 3]
    assert result["bestmove"] == result["lines"][0]["pv"][0] and sum(result["lines"][0]["wdl"]) == 1000
    assert lines and lines[-1]["lines"][0]["pv"]
    assert Engine().analyse(chuhe.Board(MATE), depth=6)["lines"][0]["score"]["mate"] == 1
    only = Engine().analyse(chuhe.Board(), depth=2, searchmoves=["a3a4"])
    assert only["bestmove"] == "a3a4"
    assert Engine().play(chuhe.Board(), nodes=500) in chuhe.Board().legal_moves()


def test_searches_are_deterministic() -> None:
    counts = [Engine().analyse(chuhe.Board(), depth=8)["nodes"] for _ in range(2)]
    assert counts[0] == counts[1]


def test_other_threads_run_during_a_search_and_stop_it() -> None:
    engine = Engine()
    board = chuhe.Board()
    results: list[chuhe.Result] = []
    thread = threading.Thread(target=lambda: results.append(engine.analyse(board)))
    thread.start()
    time.sleep(0.3)
    with pytest.raises(chuhe.Error, match="searching"):
        engine.analyse(board, depth=1)
    engine.stop()
    thread.join(20)
    assert not thread.is_alive() and results[0]["bestmove"]


def test_async() -> None:
    async def both() -> None:
        engine = Engine()
        lines = [line async for line in engine.lines(chuhe.Board(), nodes=3000)]
        assert lines and lines[-1]["depth"] > 1
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(engine.analyse_async(chuhe.Board()), 0.3)
        assert (await engine.analyse_async(chuhe.Board(), depth=3))["depth"] >= 3

    asyncio.run(both())


def test_a_search_is_of_the_position_at_its_call() -> None:
    async def play_on() -> None:
        engine, board = Engine(), chuhe.Board()
        task = asyncio.create_task(engine.analyse_async(board, depth=2))
        lines = engine.lines(board, depth=2)
        board.push("h2e2")
        assert (await task)["fen"] == chuhe.START_FEN
        assert {line["fen"] async for line in lines} == {chuhe.START_FEN}

    asyncio.run(play_on())


def test_a_search_may_follow_a_loop_that_was_left() -> None:
    async def leave() -> None:
        engine, board = Engine(), chuhe.Board()
        for _ in range(2):
            async for line in engine.lines(board):
                if line["depth"] >= 2:
                    break
        assert (await engine.analyse_async(board, depth=2))["bestmove"]
        # A loop that was not left keeps its engine.
        lines = engine.lines(board)
        assert await anext(lines)
        with pytest.raises(chuhe.Error, match="searching"):
            await engine.analyse_async(board, depth=1)

    asyncio.run(leave())


def test_a_search_does_not_wait_for_a_thread_of_the_loop() -> None:
    async def with_a_busy_loop() -> None:
        loop = asyncio.get_running_loop()
        loop.set_default_executor(ThreadPoolExecutor(1))
        free = threading.Event()
        busy = loop.run_in_executor(None, free.wait, 120)
        try:
            assert (await asyncio.wait_for(Engine().analyse_async(chuhe.Board(), depth=1), 60))["bestmove"]
        finally:
            free.set()
        await busy

    asyncio.run(with_a_busy_loop())


def test_a_search_needs_no_large_stack() -> None:
    results: list[chuhe.Result] = []
    before = threading.stack_size(512 << 10)
    try:
        thread = threading.Thread(target=lambda: results.append(Engine().analyse(chuhe.Board(), depth=9)))
        thread.start()
    finally:
        threading.stack_size(before)
    thread.join(60)
    assert results[0]["bestmove"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_the_threads_of_an_engine_are_not_in_a_fork() -> None:
    many, one = Engine(threads=2), Engine()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            if one.play(chuhe.Board(), nodes=100):
                many.play(chuhe.Board(), nodes=100)
        except chuhe.Error as error:
            status = 0 if "threads=1" in str(error) else 2
        os._exit(status)
    assert os.waitpid(child, 0)[1] == 0
    assert many.play(chuhe.Board(), nodes=100)


def test_an_exception_in_the_callback_ends_the_search() -> None:
    def angry(_: chuhe.Result) -> None:
        raise KeyError("enough")

    with pytest.raises(KeyError):
        Engine().analyse(chuhe.Board(), on_line=angry)


def test_wrong_numbers() -> None:
    board = chuhe.Board()
    engine = Engine()
    for limits in ({"depth": 0}, {"nodes": 0}, {"nodes": -1}, {"mate": 0}, {"movetime": -1.0}, {"movetime": float("nan")}, {"multipv": 0}, {"searchmoves": ["a0a0"]}):
        with pytest.raises(chuhe.Error):
            engine.analyse(board, **limits)
    unfit: list[dict[str, Any]] = [{"depth": 2.5}, {"nodes": 1e6}, {"mate": "1"}, {"multipv": 2.0}, {"depth": 2**40}, {"nodes": 2**70}]
    for numbers in unfit:
        with pytest.raises(chuhe.Error, match="expected a whole number|expected 1 to"):
            engine.analyse(board, **numbers)
    for settings in ({"threads": 0}, {"hash": 0}, {"threads": -1}, {"hash": -1}, {"rules": "x"}, {"elo": 9999}, {"elo": -1}):
        with pytest.raises(chuhe.Error):
            Engine(**settings)


def test_play_and_review_need_a_limit() -> None:
    engine = Engine()
    for call in (lambda: engine.play(chuhe.Board()), lambda: engine.review(chuhe.Record())):
        with pytest.raises(ValueError, match="expected a limit: depth, nodes or movetime"):
            call()


def test_a_review_can_be_stopped() -> None:
    engine, record = Engine(), chuhe.Record()
    record.root.add("a3a4").add("a6a5").add("i3i4")
    threading.Timer(0.3, engine.stop).start()
    with pytest.raises(chuhe.Error, match="the review was stopped"):
        engine.review(record, movetime=30)


def test_a_closed_engine_cannot_be_used() -> None:
    board = chuhe.Board()
    with Engine() as engine:
        assert engine.play(board, nodes=500) and not engine.is_closed
        engine.__enter__()
    engine.close()
    assert engine.is_closed
    for call in (lambda: engine.play(board, nodes=1), lambda: engine.clear(), lambda: engine.review(chuhe.Record(), nodes=1)):
        with pytest.raises(chuhe.Error, match="the engine is closed"):
            call()
    # Closing from the callback or from another thread ends the search, which returns its result so far.
    engine = Engine()
    assert engine.analyse(board, on_line=lambda _: engine.close())["bestmove"]
    with pytest.raises(KeyError), Engine() as engine:
        raise KeyError
    engine = Engine()
    begun = threading.Event()
    results: list[chuhe.Result] = []
    thread = threading.Thread(target=lambda: results.append(engine.analyse(board, on_line=lambda _: begun.set())))
    thread.start()
    assert begun.wait(60)
    engine.close()
    thread.join(60)
    assert results[0]["bestmove"]


def test_reviews_and_their_table() -> None:
    record = chuhe.Record()
    node = record.root
    for text in ("炮二平五", "炮2进7", "马二进三"):
        node = node.add(text)
    record.set_tag("Red", "A")
    record.set_tag("Black", "B")
    review = Engine().review(record, nodes=3000, notation="wxr")
    assert review["plies"] == 3 and review["moves"][1]["text"] == "C2+7"
    # The types describe every member.
    assert set(review) <= set(chuhe.Review.__annotations__)
    assert all(set(move) <= set(chuhe.MoveReview.__annotations__) for move in review["moves"])
    # Moves in the built-in book are not judged.
    assert [move["judgement"] == "book" for move in review["moves"]] == [True, False, False]
    table = chuhe.accuracy_table([review])
    assert list(table["player"]) == ["A", "B"] and (table["accuracy"] <= 100).all()
    assert list(table["plies"]) == [2, 1] and list(table["judged"]) == [1, 1]
    # Unnamed players are counted as different people.
    record.set_tag("Red", "?")
    record.remove_tag("Black")
    nameless = Engine().review(record, nodes=100)
    table = chuhe.accuracy_table([nameless, review, nameless])
    assert list(table["game"]) == [1, 1, 2, 2, 3, 3]
    assert list(table["player"]) == ["Red of game 1", "Black of game 1", "A", "B", "Red of game 3", "Black of game 3"]
    assert table["opponent"][0] == "Black of game 1" and "opening" in chuhe.accuracy_table([])
    # Tags are read in any case.
    upper: chuhe.Review = {**review, "tags": [("RED", "A"), ("black", ""), ("BLACK", "B")]}
    assert list(chuhe.accuracy_table([upper])["player"]) == ["A", "B"]
    # As in the totals of `chuhe analyze`, blanks between Chinese characters do not count.
    padded: chuhe.Review = {**review, "tags": [("Red", "吕　钦"), ("Black", "N.N.")]}
    assert list(chuhe.accuracy_table([padded])["player"]) == ["吕钦", "Black of game 1"]


def test_many_positions_at_once() -> None:
    boards = list(random_boards(2, 300))
    values = chuhe.evaluate(boards)
    assert values.dtype == numpy.int16 and values.shape == (300,)
    assert (values == chuhe.evaluate([board.fen() for board in boards], threads=3)).all()
    assert (values == chuhe.evaluate([board.mirrored() for board in boards])).all()
    assert (values == chuhe.evaluate(boards, network=chuhe.Network())).all()
    assert chuhe.evaluate([]).shape == (0,)
    values[0] = 0
    with pytest.raises(TypeError):
        chuhe.evaluate([chuhe.Board(), "x"])  # type: ignore[arg-type]
    with pytest.raises(chuhe.Error, match="position 1: "):
        chuhe.evaluate([chuhe.START_FEN, "x"])
    for threads in (-1, 0):
        with pytest.raises(chuhe.Error, match=f"threads {threads}: expected 1 to"):
            chuhe.evaluate(boards, threads=threads)
