"""Plays two engines against each other: python -m chuhe.cluster match --games 400 --run FOLDER -- OPTIONS OF chuhe match

The options are those of 'chuhe match' without --games, --state, --pgn, --concurrency and --sprt. Games, openings and their
numbers are those of 'chuhe match', and so is the report: it is printed by that program from the games that were played. The
file match.state in FOLDER is its --state, and games.pgn holds the games. With --sprt the match ends when the test does. Files are
named by their full paths, for every piece runs in a folder of its own.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence

from .pieces import PROGRAM, Piece, Run, Text, keep

HELP = "engine against engine"
TAKEN = ("--games", "--state", "--pgn", "--concurrency", "--sprt", "--force", "--json", "--verbose")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of the command."""
    parser.add_argument("--games", type=int, default=200, help="games, an even number")
    parser.add_argument("--sprt", help="as chuhe match --sprt")
    parser.add_argument("--piece", type=int, default=10, help="games of a piece, an even number")


def run(given: argparse.Namespace, options: Sequence[str]) -> None:
    """Plays and reports."""
    for option in options:
        if option.split("=")[0] in TAKEN:
            raise SystemExit(f"{option}: is set here, or by an option in front of --")
    games, size = given.games + given.games % 2, max(2, given.piece + given.piece % 2)
    header = _header(options)
    pieces = []
    for first in range(0, games, size):
        last = min(first + size, games)
        # Games that other pieces play count as played, whatever their result: it is not looked at.
        state = Text(header, '{"game":%d,"half_points":1,"ending":"mate","plies":1}', first)
        command = [PROGRAM, "match", *options, "--games", str(last), "--state", "part.state", "--pgn", "part.pgn"]
        pieces.append(Piece(f"{first:09}", command, outputs=("part.state", "part.pgn"), files={"part.state": state}))
    work = Run(pathlib.Path(given.run), ["match", str(size), *options])
    folder = pathlib.Path(given.run)
    played: list[str] = []
    texts: list[bytes] = []

    def heard(piece: Piece) -> bool:
        state, pgn = work.path(piece).read_bytes().split(b"\0")
        own = state.decode()[len(str(piece.files["part.state"])) :].splitlines()
        played.extend(sorted(own, key=lambda line: int(json.loads(line)["game"])))
        texts.append(pgn.strip(b"\r\n") + b"\n")
        keep(folder / "match.state", (header + "".join(line + "\n" for line in played)).encode())
        if given.sprt is None:
            return False
        # Whether the sequential test is decided, chuhe says as well.
        return "accepted" in _report(folder, options, len(played), given.sprt)

    work.complete(pieces, given.address, heard)
    keep(folder / "games.pgn", b"\n".join(texts))
    print(_report(folder, options, len(played), given.sprt), end="")


def _header(options: Sequence[str]) -> str:
    """The first line of the state file, which tells what match it is: chuhe writes it."""
    with tempfile.TemporaryDirectory() as folder:
        state = pathlib.Path(folder) / "first.state"
        command = [sys.executable, "-m", "chuhe", "match", *options, "--games", "2", "--state", str(state)]
        with open(pathlib.Path(folder) / "errors", "w+b") as errors:
            match = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors)
            try:
                # The line is there before the first move is played: the games are not waited for.
                text = ""
                while "\n" not in text:
                    ended = match.poll() is not None
                    text = state.read_text(encoding="utf-8") if state.exists() else ""
                    if ended:
                        break
                    time.sleep(0.02)
            finally:
                match.terminate()
                match.wait()
            if "\n" not in text:
                errors.seek(0)
                raise SystemExit(errors.read().decode(errors="replace").strip())
        return text.splitlines(keepends=True)[0]


def _report(folder: pathlib.Path, options: Sequence[str], games: int, sprt: str | None) -> str:
    """What chuhe match says of the games that were played."""
    test = ["--sprt", sprt] if sprt else []
    return _chuhe(["match", *options, "--games", str(games), "--state", str(folder / "match.state"), *test])


def _chuhe(arguments: Sequence[str]) -> str:
    done = subprocess.run([sys.executable, "-m", "chuhe", *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(done.stderr.strip())
    return done.stdout
