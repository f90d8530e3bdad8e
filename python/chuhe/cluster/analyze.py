"""Analyses a list of positions: python -m chuhe.cluster analyze LIST --run FOLDER -o OUT -- OPTIONS OF chuhe analyze

LIST has one FEN or EPD per line. The results are written to OUT as JSON Lines in the order of the list, as by 'chuhe analyze --json'. With
--fresh and a limit of depth or nodes among the options they are the same as on one machine, except for times. File names among the options
must be absolute paths, because each piece runs in its own folder.
"""

from __future__ import annotations

import argparse
import codecs
import hashlib
import json
import pathlib
import sys
from collections.abc import Sequence

from .pieces import PROGRAM, Piece, Run, write_atomic

HELP = "analyse positions"
# The first is set here; the others write something else than JSON Lines, or to another place than the standard output.
RESERVED = ("--json", "--summary", "--resume", "--report", "--annotate", "--force")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of the command."""
    parser.add_argument("list", type=pathlib.Path)
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True)
    parser.add_argument("--piece", type=int, default=100, help="lines per piece")


def run(given: argparse.Namespace, options: Sequence[str]) -> None:
    """Analyses the list and combines the answers."""
    for option in options:
        if option.split("=")[0] in RESERVED:
            raise SystemExit(f"{option}: cannot be used here, the results are JSON Lines in the file of -o")
    if given.output.exists() and given.output.samefile(given.list):
        raise SystemExit(f"{given.output}: is the list, expected another file")
    lines = _text(given.list.read_bytes()).removesuffix("\n").split("\n")
    size = max(1, given.piece)
    # A piece without a position would be an error of its own.
    starts = [at for at in range(0, len(lines), size) if any(map(_holds_position, lines[at : at + size]))]
    if not starts:
        raise SystemExit(f"{given.list}: no position in the file, expected lines of FEN or EPD")
    # Status 1 means that some lines are invalid; they have answers like the others.
    pieces = [
        Piece(
            f"{at:09}",
            [PROGRAM, "analyze", "-", "--json", *options],
            input="\n".join(lines[at : at + size]) + "\n",
            statuses=(0, 1),
        )
        for at in starts
    ]
    # Pieces of another list of the same name and length are not those of this one.
    digest = hashlib.sha256("\n".join(lines).encode(errors="surrogateescape")).hexdigest()
    work = Run(pathlib.Path(given.run), ["analyze", str(given.list.resolve()), digest, str(given.piece), *options])
    work.complete(pieces, given.address)
    answers = []
    for at, piece in zip(starts, pieces, strict=True):
        # A title may contain separators of lines other than this one.
        for line in work.path(piece).read_text(encoding="utf-8").removesuffix("\n").split("\n"):
            if not line:
                continue
            answer = json.loads(line)
            if "line" not in answer:
                raise SystemExit(f"{given.list}: holds games, expected one FEN or EPD per line")
            # File and line number refer to the entire list.
            answer.update(file=str(given.list), line=answer["line"] + at)
            answers.append(json.dumps(answer, ensure_ascii=False, separators=(",", ":")) + "\n")
    write_atomic(given.output, "".join(answers).encode())
    # Not to the standard output, which may be the file of -o.
    print(f"lines {len(lines)} answers {len(answers)}", file=sys.stderr)


def _text(contents: bytes) -> str:
    """The text of a list, with LF as line ends. UTF-16 is detected as by chuhe: by its mark, or by the zero bytes of its first four characters."""
    if contents.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        text = contents.decode("utf-16", errors="replace")
    elif len(contents) >= 8 and contents[1:8:2] == bytes(4):
        text = contents.decode("utf-16-le", errors="replace")
    elif len(contents) >= 8 and contents[0:8:2] == bytes(4):
        text = contents.decode("utf-16-be", errors="replace")
    else:
        # Titles may be in any other encoding: bytes that are not UTF-8 are passed on unchanged.
        text = contents.decode(errors="surrogateescape")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _holds_position(line: str) -> bool:
    """Whether a line is neither empty nor a remark."""
    # `copy` of Windows ends a joined text with this character.
    text = line.removeprefix("\ufeff").strip().removesuffix("\x1a").strip()
    return bool(text) and not text.startswith("#")
