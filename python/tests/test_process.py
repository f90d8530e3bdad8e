"""Engines in other processes: this package's own program, and one that misbehaves."""

import gc
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import threading
import time
from typing import Any, Literal

import chuhe
import pytest
from chuhe import EngineProcess

OWN = [sys.executable, "-m", "chuhe"]
PUPPET = str(pathlib.Path(__file__).with_name("puppet.py"))


def puppet(manner: str, protocol: Literal["uci", "ucci"] = "uci", **settings: Any) -> EngineProcess:
    """The engine that misbehaves."""
    return EngineProcess([sys.executable, PUPPET, manner], protocol, **{"patience": 60.0, **settings})


@pytest.mark.parametrize("protocol", ["uci", "ucci"])
def test_an_engine_analyses_and_plays(protocol: Literal["uci", "ucci"]) -> None:
    lines: list[chuhe.ProcessResult] = []
    # A book move has no line of analysis.
    options = {"Hash": 4} if protocol == "uci" else {"hashsize": 4, "usebook": False}
    with EngineProcess(OWN, protocol, options=options, patience=60) as engine:
        assert engine.name.startswith("chuhe") and engine.author and set(options) < set(engine.options)
        board = chuhe.Board(moves=["h2e2", "h9g7"])
        result = engine.analyse(board, nodes=3000, on_line=lines.append)
        best = result["lines"][0]
        assert result["fen"] == board.fen() and result["nodes"] > 0 and result["depth"] > 1
        assert result["bestmove"] == best["pv"][0] and best["pv_wxr"][0] == board.write(best["pv"][0], "wxr")
        assert lines and lines[-1]["lines"][0]["pv"] and lines[-1]["bestmove"] is None
        assert engine.play(board, depth=3) in board.legal_moves()
        assert engine.play(board, movetime=0.05) in board.legal_moves()
        assert engine.play(board, clocks=(5, 5), increments=(0.1, 0.1)) in board.legal_moves()
        mate = engine.analyse(chuhe.Board("3k5/9/9/9/9/9/9/9/R8/R3K4 w"), depth=6)
        assert mate["lines"][0]["score"] == {"mate": 1}
        engine.new_game()
        # When the game is over, the engine is not queried.
        over = engine.analyse(chuhe.Board("R3k4/R8/9/9/9/9/9/9/9/3K5 b"))
        assert over["bestmove"] is None and over["lines"] == []
    assert engine.is_closed
    engine.close()
    with pytest.raises(chuhe.Error, match="closed"):
        engine.play(board, depth=1)


def test_several_lines_and_chosen_moves() -> None:
    with EngineProcess(OWN, patience=60) as engine:
        lines = engine.analyse(chuhe.Board(), depth=3, multipv=3)["lines"]
        assert [line["multipv"] for line in lines] == [1, 2, 3] and sum(lines[0]["wdl"]) == 1000
        assert engine.analyse(chuhe.Board(), depth=2, searchmoves=["a3a4"])["bestmove"] == "a3a4"
        assert len(engine.analyse(chuhe.Board(), depth=2)["lines"]) == 1
        engine.set_option("MultiPV", 3)
        assert len(engine.analyse(chuhe.Board(), depth=2)["lines"]) == 1


def test_an_endless_search_is_stopped_from_another_thread() -> None:
    with EngineProcess(OWN, patience=60) as engine:
        results: list[chuhe.ProcessResult] = []
        begun = threading.Event()
        search = threading.Thread(
            target=lambda: results.append(engine.analyse(chuhe.Board(), on_line=lambda _: begun.set()))
        )
        search.start()
        assert begun.wait(60)
        with pytest.raises(chuhe.Error, match="searching"):
            engine.play(chuhe.Board(), depth=1)
        engine.stop()
        search.join(60)
        assert results[0]["bestmove"]
        engine.stop()

        # An exception in the callback ends the search, and the engine stays usable.
        def angry(_: chuhe.ProcessResult) -> None:
            raise KeyError("enough")

        with pytest.raises(KeyError):
            engine.analyse(chuhe.Board(), on_line=angry)
        assert engine.play(chuhe.Board(), depth=2)


def test_closing_ends_a_search_of_another_thread() -> None:
    engine = puppet("deaf")
    raised: list[BaseException] = []

    def search() -> None:
        try:
            engine.analyse(chuhe.Board())
        except chuhe.Error as error:
            raised.append(error)

    thread = threading.Thread(target=search)
    thread.start()
    while not engine._searching:
        time.sleep(0.01)
    engine.close()
    thread.join(60)
    assert "closed" in str(raised[0])


def test_a_crash_names_the_engine_and_its_last_output() -> None:
    with puppet("crash") as engine:
        with pytest.raises(chuhe.EngineCrashed, match="puppet crash: the process ended with status 7.*out of memory") as caught:
            engine.play(chuhe.Board(), depth=1)
        assert caught.value.engine == "puppet crash" and "out of memory" in caught.value.output
        again = pickle.loads(pickle.dumps(caught.value))
        assert (type(again), str(again), again.output) == (chuhe.EngineCrashed, str(caught.value), caught.value.output)
        with pytest.raises(chuhe.EngineCrashed):
            engine.play(chuhe.Board(), depth=1)
    with pytest.raises(chuhe.EngineCrashed, match="status 3; it has printed nothing"):
        EngineProcess([sys.executable, "-c", "raise SystemExit(3)"], patience=60)


def test_engines_that_do_not_answer() -> None:
    with pytest.raises(chuhe.EngineTimeout, match="no 'ucciok' within .*what is ucci") as caught:
        puppet("dumb", "ucci", patience=5)
    assert isinstance(caught.value, TimeoutError)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    with puppet("patient") as engine:
        with pytest.raises(chuhe.EngineTimeout, match="no move after"):
            engine.play(chuhe.Board(), depth=1, timeout=0.2)
        # The engine has stopped and can be used again.
        with pytest.raises(chuhe.EngineTimeout):
            engine.analyse(chuhe.Board(), timeout=0.2)
        # Not even without any time left does it wait for ever.
        engine._patience = 0.3
        for limit in ({"clocks": (0.0, 5.0)}, {"movetime": 0.0}, {"timeout": 0.0}):
            with pytest.raises(chuhe.EngineTimeout):
                engine.analyse(chuhe.Board(), **limit)
    with puppet("deaf") as engine:
        engine._patience = 0.3
        with pytest.raises(chuhe.EngineTimeout):
            engine.play(chuhe.Board(), movetime=0.1)
        # It does not react to stop either, and is killed.
        assert not engine._pipes.is_running()
    with puppet("deaf") as engine:

        def interrupted(_: float | None) -> str | None:
            raise KeyboardInterrupt

        # The second interrupt comes while the search is being stopped.
        engine._pipes.line = interrupted  # type: ignore[method-assign, assignment]
        with pytest.raises(KeyboardInterrupt):
            engine.play(chuhe.Board(), depth=1)
        assert not engine._pipes.is_running()
    with puppet("flood") as engine:
        engine._patience = 0.3
        # It never stops writing.
        with pytest.raises(chuhe.EngineTimeout):
            engine.play(chuhe.Board(), depth=1, timeout=0.2)


def test_invalid_output_of_engines_is_handled() -> None:
    with puppet("illegal") as engine:
        with pytest.raises(chuhe.EngineProcessError, match="puppet illegal: plays 'a0a9', which is not legal"):
            engine.play(chuhe.Board(), depth=1)
    with puppet("bounds") as engine:
        result = engine.analyse(chuhe.Board(), depth=5)
        assert (result["depth"], result["nodes"]) == (5, 95)
        assert result["lines"][0]["score"] == {"cp": 31} and result["lines"][0]["wdl"] == [200, 700, 100]
    with puppet("ucci", "ucci") as engine:
        result = engine.analyse(chuhe.Board(), movetime=1)
        # The line ends with an illegal move.
        assert result["lines"][0]["score"] == {"mate": 2} and result["lines"][0]["pv"] == ["h2e2", "h9g7"]


def test_engines_of_ucci_with_few_commands() -> None:
    # The definition of UCCI for tournaments does not include `isready`.
    with puppet("league", "ucci") as engine:
        engine.new_game()
        assert engine.play(chuhe.Board(), depth=1) == "h2e2"
        assert engine.play(chuhe.Board(), movetime=2) == engine.play(chuhe.Board(), clocks=(2.5, 2.5)) == "h2e2"
        assert "info string go time 2 increment 0 opptime 2 oppincrement 0" in engine._pipes.last
        for limit in ({"movetime": 0.5}, {"clocks": (60.0, 60.0), "increments": (0.5, 0.5)}):
            with pytest.raises(chuhe.Error, match="whole seconds"):
                engine.play(chuhe.Board(), **limit)
        with pytest.raises(chuhe.Error, match="one of them"):
            engine.play(chuhe.Board(), clocks=(60.0, 60.0), increments=(1.0, 1.0), movestogo=5)
    # The caller may switch milliseconds off.
    with EngineProcess(OWN, "ucci", options={"usemillisec": False}, patience=60) as engine:
        with pytest.raises(chuhe.Error, match="whole seconds"):
            engine.play(chuhe.Board(), movetime=0.5)
        engine.set_option("usemillisec", True)
        assert engine.play(chuhe.Board(), movetime=0.05)
    with puppet("resign", "ucci") as engine:
        assert engine.play(chuhe.Board(), depth=1) is None


def test_options_are_checked() -> None:
    with puppet("patient", options={"move overhead": 20, "Style": "very wild", "Clear Hash": None}, name="mine") as engine:
        assert engine.name == "mine" and engine.options["Style"].choices == ("Solid", "Very Wild")
        output = list(engine._pipes.last)
        assert "info string setoption name Move Overhead value 20" in output
        assert "info string setoption name Clear Hash" in output
        for name, value in (("Hsh", 1), ("Move Overhead", 5001), ("Move Overhead", "x"), ("Style", "Very"), ("Clear Hash", 1)):
            with pytest.raises(chuhe.Error, match="expected"):
                engine.set_option(name, value)
        with pytest.raises(chuhe.Error, match="MultiPV"):
            engine.analyse(chuhe.Board(), depth=1, multipv=2)
        with pytest.raises(ValueError, match="limit"):
            engine.play(chuhe.Board())
        for wrong in ({"depth": 0}, {"depth": 2.5}, {"nodes": 1e16}, {"multipv": 1.0}, {"movetime": -1.0}, {"multipv": 0}, {"searchmoves": ["a0a9"]}, {"timeout": -1.0}):
            with pytest.raises(chuhe.Error):
                engine.analyse(chuhe.Board(), **wrong)
        for without in ({"movestogo": 5}, {"increments": (1.0, 1.0)}):
            with pytest.raises(chuhe.Error, match="expected clocks"):
                engine.analyse(chuhe.Board(), depth=1, **without)
    with pytest.raises(chuhe.Error, match="Clear Hash"):
        puppet("patient", options={"No such": 1})


def test_programs_that_cannot_be_started(tmp_path: pathlib.Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        EngineProcess(tmp_path / "missing")
    assert caught.value.filename == str(tmp_path / "missing")
    (tmp_path / "text").write_text("no program")
    with pytest.raises(OSError):
        EngineProcess(tmp_path / "text")
    with pytest.raises(chuhe.Error):
        EngineProcess([])
    with pytest.raises(chuhe.Error):
        EngineProcess(OWN, "cecp")  # type: ignore[arg-type]


@pytest.mark.skipif(os.name == "nt", reason="a signal of Unix")
def test_a_program_that_inherits_an_ignored_interrupt_ignores_it() -> None:
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(OWN, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN), **pipes) as program:
        assert program.stdin is not None and program.stdout is not None
        program.stdin.write("isready\n")
        program.stdin.flush()
        while program.stdout.readline() != "readyok\n":
            assert program.poll() is None
        program.send_signal(signal.SIGINT)
        assert "readyok" in program.communicate("isready\nquit\n", timeout=60)[0]
    assert program.returncode == 0


@pytest.mark.skipif(os.name == "nt", reason="checks for the process with a Unix signal")
def test_an_unreferenced_engine_is_killed() -> None:
    engine = puppet("deaf")
    pid = engine._pipes.process.pid
    del engine
    gc.collect()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


FAIRY = pathlib.Path("/usr/games/fairy-stockfish")


@pytest.mark.skipif(not FAIRY.exists(), reason="fairy-stockfish is not installed")
def test_fairy_stockfish_counts_ranks_from_one() -> None:
    with EngineProcess(FAIRY, options={"Hash": 4}, patience=60) as engine:
        board = chuhe.Board(moves=["h2e2", "h9g7", "h0g2"])
        result = engine.analyse(board, depth=6, multipv=2, on_line=lambda _: None)
        assert len(result["lines"]) == 2 and all(line["pv"][0] in board.legal_moves() for line in result["lines"])
        assert engine.play(board, nodes=2000) in board.legal_moves()
        assert engine.analyse(board, depth=2, searchmoves=["i9h9"])["bestmove"] == "i9h9"
