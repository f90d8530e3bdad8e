"""Work in pieces gives the same results as a single run, even if workers fail."""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Any

import pytest

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w"
MATCH = ["--engine", "cmd='{python}' -m chuhe,name=a", "--engine", "cmd='{python}' -m chuhe,name=b", "--depth", "1"]
MATCH += ["--max-plies", "12", "--balance-nodes", "300"]
GAMES = "8"
# chuhe-tuning runs its benchmark at every start, which takes long in an unoptimised build on a busy machine.
PATIENCE = 1200
SELF_PLAY = ["--nodes", "60", "--seed", "3", "--hash", "1"]


def run(module: str, *arguments: object, check: bool = True) -> str:
    """Runs a module of the package and returns its standard output."""
    command = [sys.executable, "-m", module, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.returncode in ((0,) if check else (0, 1)), done.stderr
    return done.stdout


def answers(text: str) -> list[dict[str, Any]]:
    """Results without the fields that differ between runs and lists."""
    lines = [json.loads(line) for line in text.splitlines()]
    return [{key: value for key, value in line.items() if key not in ("time_ms", "file")} for line in lines]


def positions(path: pathlib.Path) -> None:
    """Writes a list of positions with one invalid line."""
    moves = ["", " moves h2e2", " moves b2e2 h9g7", " moves c3c4", " moves g3g4 b9c7"]
    path.write_text("".join(f"{START}{line}\n" for line in moves) + "nonsense\n" + f"{START}\n" * 3)


def test_an_analysis_in_pieces_equals_that_of_one_machine(tmp_path: pathlib.Path) -> None:
    positions(tmp_path / "list.fen")
    options = ["--depth", "3", "--fresh"]
    whole = run("chuhe", "analyze", tmp_path / "list.fen", "--json", *options, check=False)
    command = ["analyze", tmp_path / "list.fen", "--run", tmp_path / "run", "-o", tmp_path / "out", "--piece", "2", "--", *options]
    run("chuhe.cluster", *command)
    assert answers((tmp_path / "out").read_text()) == answers(whole)
    # Only the missing piece is repeated.
    pieces = sorted((tmp_path / "run").glob("*.piece"))
    times = {piece: piece.stat().st_mtime_ns for piece in pieces}
    pieces[1].unlink()
    (tmp_path / "out").unlink()
    run("chuhe.cluster", *command)
    assert answers((tmp_path / "out").read_text()) == answers(whole)
    assert [piece for piece in pieces if piece.stat().st_mtime_ns != times[piece]] == [pieces[1]]
    # The list is never replaced.
    onto = [tmp_path / "list.fen" if word == tmp_path / "out" else word for word in command]
    other = subprocess.run([sys.executable, "-m", "chuhe.cluster", *map(str, onto)], capture_output=True)
    assert other.returncode != 0 and b"is the list" in other.stderr
    # A different run is rejected.
    other = subprocess.run([sys.executable, "-m", "chuhe.cluster", *map(str, command), "--multipv", "2"], capture_output=True)
    assert other.returncode != 0 and b"another run" in other.stderr
    # So is another list under the same name.
    lines = (tmp_path / "list.fen").read_text().splitlines()
    (tmp_path / "list.fen").write_text("\n".join([lines[1], lines[0], *lines[2:]]) + "\n")
    other = subprocess.run([sys.executable, "-m", "chuhe.cluster", *map(str, command)], capture_output=True)
    assert other.returncode != 0 and b"another run" in other.stderr


def test_lists_of_unusual_lines(tmp_path: pathlib.Path) -> None:
    (tmp_path / "titles.epd").write_text(f'{START} - - 0 1 ; id "a\u2028b"\n{START}\n', encoding="utf-8")
    (tmp_path / "games.pgn").write_text('[Game "Chinese Chess"]\n\n1. H2-E2 *\n')

    def analyse(name: str, out: str) -> subprocess.CompletedProcess[bytes]:
        command = ["analyze", tmp_path / name, "--run", tmp_path / f"{name}-run", "-o", out, "--", "--depth", "1"]
        return subprocess.run([sys.executable, "-m", "chuhe.cluster", *map(str, command)], capture_output=True, timeout=PATIENCE)

    done = analyse("titles.epd", str(tmp_path / "out"))
    assert done.returncode == 0 and len((tmp_path / "out").read_bytes().splitlines()) == 2, done.stderr
    assert (tmp_path / "out").read_text(encoding="utf-8").count("a\u2028b") > 0
    # Pieces of empty lines and remarks are no games.
    (tmp_path / "gaps.fen").write_text(f"{START}\n" + "\n# remark\n" * 100 + f"{START}\n\n")
    done = analyse("gaps.fen", str(tmp_path / "out"))
    assert done.returncode == 0 and len((tmp_path / "out").read_bytes().splitlines()) == 2, done.stderr
    # `copy` of Windows ends a joined text with this character.
    (tmp_path / "ended.fen").write_text(f"{START}\n" + "# remark\n" * 99 + "\x1a")
    done = analyse("ended.fen", str(tmp_path / "out"))
    assert done.returncode == 0 and len((tmp_path / "out").read_bytes().splitlines()) == 1, done.stderr
    # The second piece of a list in UTF-16 begins within the text, without a mark.
    for encoding in ("utf-16", "utf-16-le", "utf-16-be"):
        (tmp_path / f"{encoding}.fen").write_bytes((f"{START}\r\n" + "# remark\r\n" * 100 + f"{START}\r\n").encode(encoding))
        done = analyse(f"{encoding}.fen", str(tmp_path / "out"))
        assert done.returncode == 0, done.stderr
        assert [(answer["line"], "error" in answer) for answer in answers((tmp_path / "out").read_text())] == [(1, False), (102, False)]
    done = analyse("games.pgn", str(tmp_path / "out"))
    assert done.returncode == 1 and b"holds games, expected one FEN" in done.stderr, done.stderr
    if os.name != "nt":
        # A device is written, not replaced.
        done = analyse("titles.epd", "/dev/stdout")
        assert done.returncode == 0 and done.stdout.count(b'"bestmove"') == 2, done.stderr
        assert len(done.stdout.splitlines()) == 2 and b"answers 2" in done.stderr
        assert analyse("titles.epd", "/dev/null").returncode == 0 and not pathlib.Path("/dev/null").is_file()


def test_an_analysis_that_cannot_begin_is_no_result(tmp_path: pathlib.Path) -> None:
    positions(tmp_path / "list.fen")
    for options, reason in ((["--book", "/missing.obk"], b"missing.obk"), (["--resume", "x.jsonl"], b"--resume: cannot be used")):
        command = ["analyze", tmp_path / "list.fen", "--run", tmp_path / "run", "-o", tmp_path / "out", "--", "--depth", "1", *options]
        done = subprocess.run([sys.executable, "-m", "chuhe.cluster", *map(str, command)], capture_output=True, timeout=PATIENCE)
        assert done.returncode == 1 and reason in done.stderr and not (tmp_path / "out").exists(), done.stderr
        assert not list(tmp_path.glob("run/*.piece"))
    # The corrected command may use the folder, which has no results.
    run("chuhe.cluster", "analyze", tmp_path / "list.fen", "--run", tmp_path / "run", "-o", tmp_path / "out", "--", "--depth", "1")
    assert len((tmp_path / "out").read_text().splitlines()) == 9


def moves(path: pathlib.Path) -> list[str]:
    """The moves and round numbers of the games of a file, without the times of moves."""
    text = re.sub(r" [0-9.]+s}", "}", path.read_text())
    return sorted(line for line in text.splitlines() if line.startswith("1. ") or "[Round" in line)


def match_options() -> list[str]:
    """Options for a match between two instances of this package."""
    return [option.format(python=sys.executable) for option in MATCH]


def tuning_program() -> str:
    """The path of chuhe-tuning; skips the test if it was not built."""
    program = os.environ.get("CHUHE_TUNING", "chuhe-tuning")
    if shutil.which(program) is None:
        pytest.skip("chuhe-tuning not found; set CHUHE_TUNING to its path")
    return program


def test_a_match_in_pieces_equals_one_by_chuhe(tmp_path: pathlib.Path) -> None:
    options = match_options()
    whole = run("chuhe", "match", *options, "--games", "8", "--pgn", tmp_path / "games.pgn")
    report = run("chuhe.cluster", "match", "--games", "8", "--piece", "2", "--run", tmp_path / "run", "--", *options)
    assert report.splitlines()[-1] == whole.splitlines()[-1]
    assert moves(tmp_path / "run" / "games.pgn") == moves(tmp_path / "games.pgn")
    # Each game is written once, with the piece that played it, and the marks of the games before it not at all.
    state = (tmp_path / "run" / "match.state").read_text().splitlines()
    assert [json.loads(line)["game"] for line in state[1:]] == list(range(8))
    pieces = [piece.read_bytes() for piece in (tmp_path / "run").glob("*.piece")]
    assert [piece.count(b'{"game":') for piece in pieces] == [2] * 4
    three = [sys.executable, "-m", "chuhe.cluster", "match", "--run", str(tmp_path / "three"), "--", *options, "--engine", "cmd=x,name=c"]
    other = subprocess.run(three, capture_output=True, timeout=PATIENCE)
    assert other.returncode == 1 and b"more than two engines" in other.stderr
    # A run can be extended, although its last piece was short.
    for games in ["6", "8"]:
        run("chuhe.cluster", "match", "--games", games, "--piece", "4", "--run", tmp_path / "longer", "--", *options)
    assert moves(tmp_path / "longer" / "games.pgn") == moves(tmp_path / "games.pgn")


def test_self_play_in_pieces_equals_one_process(tmp_path: pathlib.Path) -> None:
    program = tuning_program()
    whole = self_play(program, tmp_path)
    command = ["selfplay", "--program", program, "--games", GAMES, "--piece", "3", "--run", tmp_path / "run", "-o", tmp_path / "out"]
    run("chuhe.cluster", *command, "--", *SELF_PLAY)
    assert (tmp_path / "out").read_bytes() == whole


def self_play(program: str, folder: pathlib.Path) -> bytes:
    """The games as written by a single process."""
    command = [program, "selfplay", *SELF_PLAY, "--games", GAMES, "--threads", "1", "-o", str(folder / "whole")]
    subprocess.run(command, check=True, capture_output=True, timeout=PATIENCE)
    return (folder / "whole").read_bytes()


def a_worker() -> int | None:
    """The PID of a Ray worker that is running a piece, excluding processes it has just forked."""
    listed = subprocess.run(["ps", "-eo", "pid=,ppid=,args="], capture_output=True, text=True, check=True).stdout
    rows = [line.split(None, 2) for line in listed.splitlines()]
    workers = {row[0]: row[1] for row in rows if row[2].startswith("ray::do")}
    return next((int(worker) for worker, parent in workers.items() if parent not in workers), None)


def on_two_workers(folder: pathlib.Path, command: Sequence[object], options: Sequence[str]) -> str:
    """Runs a command on a cluster of two workers, kills one of them midway, and returns the output of the command."""
    ray = pytest.importorskip("ray")
    # Ray's workers run at low priority by default; here they must not starve.
    os.environ["RAY_worker_niceness"] = "0"
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        address = ray.get_runtime_context().gcs_address
        whole = [sys.executable, "-m", "chuhe.cluster", *map(str, command), "--run", str(folder / "run"), "--address", address]
        child = subprocess.Popen([*whole, "--", *options], stdout=subprocess.PIPE, text=True)
        killed = 0
        while child.poll() is None:
            time.sleep(0.1)
            # Wait until some pieces are done and others are running.
            if not killed and any((folder / "run").glob("*.piece")):
                worker = a_worker()
                if worker is not None:
                    os.kill(worker, signal.SIGKILL)
                    killed = len(list((folder / "run").glob("*.piece")))
        assert child.stdout is not None
        printed = child.stdout.read()
        assert child.returncode == 0 and 0 < killed < len(list((folder / "run").glob("*.piece")))
        return printed
    finally:
        ray.shutdown()


def test_an_analysis_survives_a_killed_worker(tmp_path: pathlib.Path) -> None:
    pytest.importorskip("ray")
    positions(tmp_path / "list.fen")
    options = ["--nodes", "100000", "--fresh"]
    whole = run("chuhe", "analyze", tmp_path / "list.fen", "--json", *options, check=False)
    on_two_workers(tmp_path, ["analyze", tmp_path / "list.fen", "-o", tmp_path / "out", "--piece", "1"], options)
    assert answers((tmp_path / "out").read_text()) == answers(whole)


def test_a_match_survives_a_killed_worker(tmp_path: pathlib.Path) -> None:
    pytest.importorskip("ray")
    options = match_options()
    whole = run("chuhe", "match", *options, "--games", "12", "--pgn", tmp_path / "games.pgn")
    report = on_two_workers(tmp_path, ["match", "--games", "12", "--piece", "2"], options)
    assert report.splitlines()[-1] == whole.splitlines()[-1]
    assert moves(tmp_path / "run" / "games.pgn") == moves(tmp_path / "games.pgn")


def test_self_play_survives_a_killed_worker(tmp_path: pathlib.Path) -> None:
    pytest.importorskip("ray")
    program = tuning_program()
    whole = self_play(program, tmp_path)
    command = ["selfplay", "--program", program, "--games", GAMES, "--piece", "2", "-o", tmp_path / "out"]
    on_two_workers(tmp_path, command, SELF_PLAY)
    assert (tmp_path / "out").read_bytes() == whole
