"""Pieces of work, which many machines run in any order, with their results in a folder."""

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
# Return codes of processes killed by SIGKILL and SIGTERM on Unix.
KILLED = (-9, -15)


@dataclass(frozen=True)
class Text:
    """A generated text: a head, followed by numbered lines. Its size in a message does not depend on the number of lines."""

    head: str
    line: str
    """Contains ``%d`` for the number."""
    count: int

    def __str__(self) -> str:
        return self.head + "".join(self.line % number + "\n" for number in range(self.count))


@dataclass(frozen=True)
class Piece:
    """A command to run in an empty folder, and its results."""

    name: str
    command: list[str]
    """The program and its arguments; ``chuhe`` is the program of this package."""
    outputs: tuple[str, ...] = ()
    """The files that form the result, joined with a zero byte; if there are none, the result is the standard output. What they were created
    with is left out."""
    input: str = ""
    """Standard input of the command."""
    files: dict[str, Text] = field(default_factory=dict)
    """Files to create in its folder."""
    statuses: tuple[int, ...] = (0,)
    """Exit statuses of success."""


class PieceError(RuntimeError):
    """A command has failed, and would fail on any other machine, too."""


class PieceKilled(RuntimeError):
    """A command was killed, for instance because the machine was out of memory; it may succeed on another one."""


def do(piece: Piece) -> bytes:
    """Runs a piece on this machine."""
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
        # Invalid inputs have answers; with a failure status and no output at all, the command has done nothing.
        has_failed = done.returncode != 0 and not piece.outputs and not done.stdout
        if done.returncode not in piece.statuses or has_failed:
            detail = done.stderr.decode(errors="replace").strip()
            raise PieceError(f"{piece.name}: {program} ended with {done.returncode}: {detail}")
        if not piece.outputs:
            return done.stdout
        given_texts = {file: str(text).encode() for file, text in piece.files.items()}
        return b"\0".join((folder / file).read_bytes().removeprefix(given_texts.get(file, b"")) for file in piece.outputs)


class Run:
    """The folder of a run: the results of completed pieces, and a description of the run."""

    def __init__(self, folder: pathlib.Path, description: Sequence[str]) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        settings = folder / "run.json"
        text = json.dumps(list(description), ensure_ascii=False)
        found = settings.read_text(encoding="utf-8") if settings.exists() else None
        # A run without results is replaced: it may have failed because of an option that is now corrected.
        if found not in (None, text) and any(folder.glob("*.piece")):
            raise SystemExit(f"{folder}: holds another run, expected {text}, found {found}")
        if found != text:
            write_atomic(settings, text.encode())

    def path(self, piece: Piece) -> pathlib.Path:
        """The path of a piece's result."""
        return self.folder / f"{piece.name}.piece"

    def complete(self, pieces: Sequence[Piece], address: str | None, on_done: Callable[[Piece], object] | None = None) -> None:
        """Runs all missing pieces: without an address one after another on this machine, otherwise on the cluster at that address.

        ``on_done`` is called for every piece in the order of the list, as soon as all pieces before it are done; when it returns true the
        rest is skipped.
        """
        missing = [piece for piece in pieces if not self.path(piece).exists()]
        finished = _done_here(missing) if address is None else _done_there(missing, address)
        waiting = iter(pieces)
        expected = next(waiting, None)
        # Handle the pieces completed earlier first, even if none is missing.
        with contextlib.closing(finished):
            for piece, result in _with_start(finished):
                if piece is not None:
                    write_atomic(self.path(piece), result)
                while expected is not None and self.path(expected).exists():
                    if on_done is not None and on_done(expected):
                        return
                    expected = next(waiting, None)


def is_device(path: pathlib.Path) -> bool:
    """Whether a path is neither a file nor a folder, such as ``/dev/stdout``; it is written directly, and never replaced."""
    return path.exists() and not path.is_file() and not path.is_dir()


def write_atomic(path: pathlib.Path, contents: bytes) -> None:
    """Writes a file atomically, see ``put``. A device or a pipe is written directly."""
    if is_device(path):
        path.write_bytes(contents)
        return
    handle, name = tempfile.mkstemp(dir=path.resolve().parent, prefix=".part-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(contents)
            file.flush()
            # Otherwise a power failure could leave an empty file that looks complete.
            os.fsync(file.fileno())
        put(name, path)
    except BaseException:
        os.unlink(name)
        raise


def put(name: str | os.PathLike[str], path: pathlib.Path) -> None:
    """Renames a complete file to a path. It gets the permissions of the file that it replaces, or of any new one; a link stays a link."""
    path = path.resolve()
    mask = os.umask(0)
    os.umask(mask)
    mode = path.stat().st_mode & 0o7777 if path.is_file() else 0o666 & ~mask
    # Only if they differ: where all files have the same, as on FAT, the system may refuse to set them.
    if os.stat(name).st_mode & 0o7777 != mode:
        os.chmod(name, mode)
    os.replace(name, path)


Finished = Generator[tuple["Piece | None", bytes], None, None]


def _with_start(finished: Finished) -> Finished:
    yield None, b""
    yield from finished


def _done_here(pieces: Sequence[Piece]) -> Finished:
    for piece in pieces:
        yield piece, do(piece)


def _done_there(pieces: Sequence[Piece], address: str) -> Finished:
    # Imported only here, because Ray is optional and only partly typed.
    try:
        ray: Any = importlib.import_module("ray")
    except ModuleNotFoundError:
        raise SystemExit("--address: Ray is not installed, expected the package 'ray'") from None
    ray.init(address=None if address == "local" else address, log_to_driver=False, include_dashboard=False)
    # Pieces of a failed machine and killed pieces are retried; those that fail by themselves are not.
    remote = ray.remote(num_cpus=1, max_retries=-1, retry_exceptions=[PieceKilled])(do)
    left = list(reversed(pieces))
    running: dict[object, Piece] = {}
    try:
        while left or running:
            # Enough pieces to keep all machines busy, but few enough to leave some for machines that join later.
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
