"""Work in pieces: the same results as in one, whatever happens on the way."""

import json
import pathlib
import re
import subprocess
import sys
import time
from typing import Any

import pytest

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w"
MATCH = ["--engine", "cmd='{python}' -m chuhe,name=a", "--engine", "cmd='{python}' -m chuhe,name=b", "--depth", "1"]
MATCH += ["--max-plies", "12", "--balance-nodes", "300"]


def run(module: str, *arguments: object, check: bool = True) -> str:
    """Standard output of a module of the package."""
    command = [sys.executable, "-m", module, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode in ((0,) if check else (0, 1)), done.stderr
    return done.stdout


def answers(text: str) -> list[dict[str, Any]]:
    """Results without what differs from run to run, and from list to list."""
    lines = [json.loads(line) for line in text.splitlines()]
    return [{key: value for key, value in line.items() if key not in ("time_ms", "file")} for line in lines]


def positions(path: pathlib.Path) -> None:
    """A list with a line in error."""
    moves = ["", " moves h2e2", " moves b2e2 h9g7", " moves c3c4", " moves g3g4 b9c7"]
    path.write_text("".join(f"{START}{line}\n" for line in moves) + "nonsense\n" + f"{START}\n" * 3)


def test_an_analysis_in_pieces_is_that_of_one_machine(tmp_path: pathlib.Path) -> None:
    positions(tmp_path / "list.fen")
    options = ["--depth", "3", "--fresh"]
    whole = run("chuhe", "analyze", tmp_path / "list.fen", "--json", *options, check=False)
    command = ["analyze", tmp_path / "list.fen", "--run", tmp_path / "run", "-o", tmp_path / "out", "--piece", "2", "--", *options]
    run("chuhe.cluster", *command)
    assert answers((tmp_path / "out").read_text()) == answers(whole)
    # What is missing is done again, and nothing else.
    pieces = sorted((tmp_path / "run").glob("*.piece"))
    times = {piece: piece.stat().st_mtime_ns for piece in pieces}
    pieces[1].unlink()
    (tmp_path / "out").unlink()
    run("chuhe.cluster", *command)
    assert answers((tmp_path / "out").read_text()) == answers(whole)
    assert [piece for piece in pieces if piece.stat().st_mtime_ns != times[piece]] == [pieces[1]]
    # Another run has no place there.
    other = subprocess.run([sys.executable, "-m", "chuhe.cluster", *map(str, command), "--multipv", "2"], capture_output=True)
    assert other.returncode != 0 and b"another run" in other.stderr


def test_a_match_in_pieces_is_that_of_chuhe(tmp_path: pathlib.Path) -> None:
    options = [option.format(python=sys.executable) for option in MATCH]
    whole = run("chuhe", "match", *options, "--games", "8", "--pgn", tmp_path / "games.pgn")
    report = run("chuhe.cluster", "match", "--games", "8", "--piece", "2", "--run", tmp_path / "run", "--", *options)
    assert report.splitlines()[-1] == whole.splitlines()[-1]

    def moves(path: pathlib.Path) -> list[str]:
        text = re.sub(r" [0-9.]+s}", "}", path.read_text())
        return [line for line in text.splitlines() if line.startswith("1. ") or "[Round" in line]

    assert sorted(moves(tmp_path / "run" / "games.pgn")) == sorted(moves(tmp_path / "games.pgn"))


def test_a_worker_of_ray_that_dies_costs_its_piece(tmp_path: pathlib.Path) -> None:
    ray = pytest.importorskip("ray")
    positions(tmp_path / "list.fen")
    options = ["--nodes", "150000", "--fresh"]
    whole = run("chuhe", "analyze", tmp_path / "list.fen", "--json", *options, check=False)
    command = ["analyze", tmp_path / "list.fen", "--run", tmp_path / "run", "-o", tmp_path / "out", "--piece", "1"]
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        address = ray.get_runtime_context().gcs_address
        child = subprocess.Popen(
            [sys.executable, "-m", "chuhe.cluster", *map(str, command), "--address", address, "--", *options],
            stdout=subprocess.DEVNULL,
        )
        killed = False
        while child.poll() is None:
            time.sleep(0.2)
            if not killed and any((tmp_path / "run").glob("*.piece")):
                workers = subprocess.run(["pgrep", "-f", "ray::do"], capture_output=True, text=True, check=False).stdout.split()
                if workers:
                    subprocess.run(["kill", "-9", workers[0]], check=True)
                    killed = True
        assert killed and child.returncode == 0
    finally:
        ray.shutdown()
    assert answers((tmp_path / "out").read_text()) == answers(whole)
