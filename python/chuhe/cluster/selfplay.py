"""Plays games for training: python -m chuhe.cluster selfplay --games 40000 --run FOLDER -o OUT -- OPTIONS OF chuhe-tuning selfplay

The options are those of 'chuhe-tuning selfplay' except -o, --first, --games and --threads; the program must be installed on every
machine. File names among the options must be absolute paths, because each piece runs in its own folder. 'chuhe-tuning join' combines
the games of all pieces, in the order of their numbers, into OUT: the same bytes regardless of the number of machines and the size of the
pieces.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence

from .pieces import Piece, PieceError, Run, is_device, put

HELP = "play games for training"
RESERVED = ("-o", "--output", "--first", "--games", "--threads")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of the command."""
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0, help="number of the first game")
    parser.add_argument("--piece", type=int, default=100, help="games per piece")
    parser.add_argument("--program", default="chuhe-tuning", help="path of chuhe-tuning, on every machine")


def run(given: argparse.Namespace, options: Sequence[str]) -> None:
    """Plays the games and joins them."""
    for option in options:
        if option.split("=")[0] in RESERVED:
            raise SystemExit(f"{option}: is set here, or by an option in front of --")
    # Each piece runs in its own folder, so a relative path must be resolved.
    program = str(pathlib.Path(given.program).resolve()) if os.sep in given.program else given.program
    end = given.first + given.games
    pieces = []
    for first in range(given.first, end, max(1, given.piece)):
        games = min(max(1, given.piece), end - first)
        # A shorter last piece has a name of its own, so that a run with more games does not take it for a whole one.
        name = f"{first:012}" if games == max(1, given.piece) else f"{first:012}-{games}"
        fixed = ["-o", "games.bin", "--first", str(first), "--games", str(games), "--threads", "1"]
        pieces.append(Piece(name, [program, "selfplay", *options, *fixed], outputs=("games.bin",)))
    work = Run(pathlib.Path(given.run), ["selfplay", str(given.first), str(given.piece), *options])
    work.complete(pieces, given.address)
    join(program, [work.path(piece) for piece in pieces], given.output)
    # Not to the standard output, which may be the file of -o.
    print(f"games {given.games} pieces {len(pieces)}", file=sys.stderr)


def join(program: str, parts: Sequence[pathlib.Path], output: pathlib.Path) -> None:
    """Joins the games of all pieces into one file, atomically. A device or a pipe is written directly."""
    with tempfile.TemporaryDirectory(dir=None if is_device(output) else output.resolve().parent, prefix=".part-") as folder:
        whole = pathlib.Path(folder) / "games.bin"
        done = subprocess.run([program, "join", *parts, "-o", whole], capture_output=True, check=False)
        if done.returncode != 0:
            raise PieceError(f"{program} join: {done.stderr.decode(errors='replace').strip()}")
        if is_device(output):
            with whole.open("rb") as source, output.open("wb") as target:
                shutil.copyfileobj(source, target)
        else:
            put(whole, output)
