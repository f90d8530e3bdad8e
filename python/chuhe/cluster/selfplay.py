"""Plays games for training: python -m chuhe.cluster selfplay --games 40000 --run FOLDER -o OUT -- OPTIONS OF chuhe-tuning selfplay

The options are those of 'chuhe-tuning selfplay' without -o, --first, --games and --threads; the program has to be on every
machine. OUT holds the games of all pieces in the order of their numbers, the same bytes however many machines have played them.
"""

from __future__ import annotations

import argparse
import pathlib
import struct
from collections.abc import Sequence

from .pieces import Piece, Run, keep

HELP = "games for training"
TAKEN = ("-o", "--output", "--first", "--games", "--threads")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of the command."""
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0, help="number of the first game")
    parser.add_argument("--piece", type=int, default=100, help="games of a piece; part of what the bytes depend on")
    parser.add_argument("--program", default="chuhe-tuning")


def run(given: argparse.Namespace, options: Sequence[str]) -> None:
    """Plays and joins."""
    for option in options:
        if option.split("=")[0] in TAKEN:
            raise SystemExit(f"{option}: is set here, or by an option in front of --")
    end = given.first + given.games
    pieces = []
    for first in range(given.first, end, max(1, given.piece)):
        games = min(given.piece, end - first)
        # One thread: then the games of a piece are in order.
        fixed = ["-o", "games.bin", "--first", str(first), "--games", str(games), "--threads", "1"]
        pieces.append(Piece(f"{first:012}", [given.program, "selfplay", *options, *fixed], outputs=("games.bin",)))
    work = Run(pathlib.Path(given.run), ["selfplay", str(given.first), str(given.piece), *options])
    work.complete(pieces, given.address)
    keep(given.output, join([work.path(piece).read_bytes() for piece in pieces]))
    print(f"games {given.games} pieces {len(pieces)}")


def join(parts: Sequence[bytes]) -> bytes:
    """Record files of one plan as one: the header of the first, and the blocks of all."""
    headers = {part[: _length_of_header(part)] for part in parts}
    if len(headers) > 1:
        raise SystemExit("the pieces are of different runs: their headers differ")
    return b"".join([*headers, *(part[_length_of_header(part) :] for part in parts)])


def _length_of_header(part: bytes) -> int:
    """Mark, version, length of the description, description, checksum."""
    mark, _version, length = struct.unpack_from("<8sII", part)
    if mark != b"chuhegms":
        raise SystemExit("a piece is no record file")
    return 16 + int(length) + 4
