"""Pieces of work, done by many machines in any order and kept in a folder."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from typing import Any

PROGRAM = "chuhe"
# How Unix tells of SIGKILL and SIGTERM.
KILLED = (-9, -15)


@dataclass(frozen=True)
class Text:
    """A head, and lines that differ by their numbers: small however long it is."""

    head: str
    line: str
    """With ``%d`` for the number."""
    count: int

    def __str__(self) -> str:
        return self.head + "".join(self.line % number + "\n" for number in range(self.count))


@dataclass(frozen=True)
class Piece:
    """A command to run in an empty folder, and what it leaves there."""

    name: str
    command: list[str]
    """The program and its arguments; ``chuhe`` is the program of this package."""
    outputs: tuple[str, ...] = ()
    """The files that are the result, with a zero byte between them; standard output without any."""
    input: str = ""
    """What the command reads."""
    files: dict[str, Text] = field(default_factory=dict)
    """Files that it finds in its folder."""
    statuses: tuple[int, ...] = (0,)
    """Exit statuses of success."""


class PieceError(RuntimeError):
    """A command has failed, which no other machine could do better."""


class PieceKilled(RuntimeError):
    """A command was killed, for instance because the machine had no memory left: another may do better."""


def do(piece: Piece) -> bytes:
    """Does a piece on this machine."""
    program, *arguments = piece.command
    start = [sys.executable, "-m", "chuhe"] if program == PROGRAM else [program]
    with tempfile.TemporaryDirectory(prefix="chuhe-piece-") as name:
        folder = pathlib.Path(name)
        for file, text in piece.files.items():
            (folder / file).write_text(str(text), encoding="utf-8", newline="\n")
        given = piece.input.encode(errors="surrogateescape")
        done = subprocess.run([*start, *arguments], input=given, capture_output=True, cwd=folder, check=False)
        if done.returncode in KILLED:
            raise PieceKilled(f"{piece.name}: {program} was killed")
        if done.returncode not in piece.statuses:
            said = done.stderr.decode(errors="replace").strip()
            raise PieceError(f"{piece.name}: {program} ended with {done.returncode}: {said}")
        return b"\0".join((folder / file).read_bytes() for file in piece.outputs) if piece.outputs else done.stdout


class Run:
    """The folder of a run: the pieces that are done, and what the run is."""

    def __init__(self, folder: pathlib.Path, description: Sequence[str]) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        settings = folder / "run.json"
        text = json.dumps(list(description), ensure_ascii=False)
        if settings.exists():
            found = settings.read_text(encoding="utf-8")
            if found != text:
                raise SystemExit(f"{folder}: holds another run, expected {text}, found {found}")
        else:
            keep(settings, text.encode())

    def path(self, piece: Piece) -> pathlib.Path:
        """Where the result of a piece lies."""
        return self.folder / f"{piece.name}.piece"

    def complete(self, pieces: Sequence[Piece], address: str | None, heard: Callable[[Piece], object] | None = None) -> None:
        """Does all pieces that are not done: here one after another without an address, else on the cluster there.

        ``heard`` is called for every piece in the order of the list, as soon as all before it are done; when it returns true the rest
        is left undone.
        """
        missing = [piece for piece in pieces if not self.path(piece).exists()]
        finished = _done_here(missing) if address is None else _done_there(missing, address)
        waiting = iter(pieces)
        expected = next(waiting, None)
        # What was done before comes first, also when nothing is missing.
        with contextlib.closing(finished):
            for piece, result in _with_start(finished):
                if piece is not None:
                    keep(self.path(piece), result)
                while expected is not None and self.path(expected).exists():
                    if heard is not None and heard(expected):
                        return
                    expected = next(waiting, None)


def keep(path: pathlib.Path, contents: bytes) -> None:
    """Writes a file that is whole or not there."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".part-")
    with os.fdopen(handle, "wb") as file:
        file.write(contents)
    os.replace(name, path)


Finished = Generator[tuple["Piece | None", bytes], None, None]


def _with_start(finished: Finished) -> Finished:
    yield None, b""
    yield from finished


def _done_here(pieces: Sequence[Piece]) -> Finished:
    for piece in pieces:
        yield piece, do(piece)


def _done_there(pieces: Sequence[Piece], address: str) -> Finished:
    # Not needed for anything else, and only in part typed.
    ray: Any = importlib.import_module("ray")
    ray.init(address=None if address == "local" else address, log_to_driver=False, include_dashboard=False)
    # A machine that dies costs nothing but its pieces: others do them again, as those that were killed. One that fails is not done again.
    remote = ray.remote(num_cpus=1, max_retries=-1, retry_exceptions=[PieceKilled])(do)
    left = list(reversed(pieces))
    running: dict[object, Piece] = {}
    try:
        while left or running:
            # Enough to keep all machines busy, few enough that those that come later get some.
            room = 2 * max(1, int(ray.cluster_resources().get("CPU", 1))) - len(running)
            for _ in range(min(room, len(left))):
                piece = left.pop()
                running[remote.remote(piece)] = piece
            ready, _ = ray.wait(list(running), timeout=1.0)
            for reference in ready:
                piece = running.pop(reference)
                try:
                    yield piece, ray.get(reference)
                except ray.exceptions.RayTaskError as failure:
                    raise SystemExit(str(failure.cause)) from None
    finally:
        for reference in running:
            ray.cancel(reference, force=True)
        ray.shutdown()
