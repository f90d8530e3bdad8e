"""Plays two engines against each other: python -m chuhe.cluster match --games 400 --run FOLDER -- OPTIONS OF chuhe match

The options are those of 'chuhe match' except --games, --state, --pgn, --concurrency and --sprt. The games, openings and numbers are
the same as with 'chuhe match', which also prints the report from the played games. In FOLDER, match.state is its --state file and
games.pgn contains the games. With --sprt the match ends when the test is decided. File names must be absolute paths, because each piece
runs in its own folder.
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

from .pieces import PROGRAM, Piece, Run, Text, write_atomic

HELP = "play a match between engines"
RESERVED = ("--games", "--state", "--pgn", "--concurrency", "--sprt", "--force", "--json", "--verbose")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of the command."""
    parser.add_argument("--games", type=int, default=200, help="games, an even number")
    parser.add_argument("--sprt", help="as chuhe match --sprt")
    parser.add_argument("--piece", type=int, default=10, help="games per piece, an even number")


def run(given: argparse.Namespace, options: Sequence[str]) -> None:
    """Plays the match and prints the report."""
    for option in options:
        if option.split("=")[0] in RESERVED:
            raise SystemExit(f"{option}: is set here, or by an option in front of --")
    # The games of more engines are numbered over all pairings, and a piece would play those of the next ones too.
    if sum(option.split("=")[0] == "--engine" for option in options) > 2:
        raise SystemExit("--engine: there are more than two engines, expected two")
    games, size = given.games + given.games % 2, max(2, given.piece + given.piece % 2)
    header = _header(options)
    pieces = []
    for first in range(0, games, size):
        last = min(first + size, games)
        # A shorter last piece has a name of its own, so that a run with more games does not take it for a whole one.
        name = f"{first:09}" if last - first == size else f"{first:09}-{last - first}"
        # Mark the games of the preceding pieces as played, with arbitrary results that are never used.
        state = Text(header, '{"game":%d,"half_points":1,"ending":"mate","plies":1}', first)
        command = [PROGRAM, "match", *options, "--games", str(last), "--state", "part.state", "--pgn", "part.pgn"]
        pieces.append(Piece(name, command, outputs=("part.state", "part.pgn"), files={"part.state": state}))
    work = Run(pathlib.Path(given.run), ["match", str(size), *options])
    folder = pathlib.Path(given.run)
    played = 0
    texts: list[bytes] = []

    def on_done(piece: Piece) -> bool:
        nonlocal played
        state, pgn = work.path(piece).read_bytes().split(b"\0")
        text = state.decode()
        # Results of earlier versions begin with the marks of the preceding games.
        if text.startswith(header):
            text = text.removeprefix(str(piece.files["part.state"]))
        own = sorted(text.splitlines(), key=lambda line: int(json.loads(line)["game"]))
        lines = "".join(line + "\n" for line in own).encode()
        # Only begun anew once: to write all games after every piece takes quadratic time.
        if played == 0:
            write_atomic(folder / "match.state", header.encode() + lines)
        else:
            with (folder / "match.state").open("ab") as file:
                file.write(lines)
        played += len(own)
        texts.append(pgn.strip(b"\r\n") + b"\n")
        if given.sprt is None:
            return False
        # The report also says whether the sequential test is decided.
        return "accepted" in _report(folder, options, played, given.sprt)

    work.complete(pieces, given.address, on_done)
    write_atomic(folder / "games.pgn", b"\n".join(texts))
    print(_report(folder, options, played, given.sprt), end="")


def _header(options: Sequence[str]) -> str:
    """The first line of the state file, which identifies the match, as written by chuhe."""
    with tempfile.TemporaryDirectory() as folder:
        state = pathlib.Path(folder) / "first.state"
        command = [sys.executable, "-m", "chuhe", "match", *options, "--games", "2", "--state", str(state)]
        with open(pathlib.Path(folder) / "errors", "w+b") as errors:
            match = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors)
            try:
                # The line is written before the first move is played, so there is no need to wait for the games.
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
    """The report of chuhe match on the games played."""
    test = ["--sprt", sprt] if sprt else []
    return _chuhe(["match", *options, "--games", str(games), "--state", str(folder / "match.state"), *test])


def _chuhe(arguments: Sequence[str]) -> str:
    # Decoded here: on Windows `text=True` would assume the code page, and chuhe writes UTF-8.
    done = subprocess.run([sys.executable, "-m", "chuhe", *arguments], capture_output=True, check=False)
    if done.returncode != 0:
        raise SystemExit(done.stderr.decode(errors="replace").strip())
    return done.stdout.decode(errors="replace")
