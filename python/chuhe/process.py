"""Other engines: processes that speak UCI or UCCI."""

from __future__ import annotations

import collections
import operator
import os
import queue
import signal
import subprocess
import threading
import time
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import IO, Any, Literal

from ._chuhe import Board, Error, _require_searchable, _score_from_ucci
from .results import ProcessLine, ProcessResult, Score

_LAST_LINES = 5
_QUIT_SECONDS = 2.0
# Time for the first answer to ``isready`` in UCCI, whose definition for tournaments does not include this command.
_OPTIONAL_READY_SECONDS = 2.0
# A reader checks at this interval whether the process has ended, because its children may keep the pipe open.
_POLL_SECONDS = 0.25


class EngineProcessError(RuntimeError):
    """An engine violates its protocol; the message names the engine and quotes its last output."""

    def __init__(self, engine: str, problem: str, output: Sequence[str]) -> None:
        detail = f"; its last output: {' / '.join(output)}" if output else "; it has printed nothing"
        super().__init__(f"{engine}: {problem}{detail}")
        self.engine = engine
        """The name of the engine."""
        self.output = list(output)
        """The last lines it printed to standard output and standard error."""
        self._problem = problem

    def __reduce__(self) -> tuple[Any, ...]:
        # By default only the message is pickled, from which no error can be made: a pool of processes would wait for it for ever.
        return type(self), (self.engine, self._problem, self.output)


class EngineCrashed(EngineProcessError):
    """The process has ended."""


class EngineTimeout(EngineProcessError, TimeoutError):
    """The engine did not answer in time."""


@dataclass(frozen=True)
class EngineOption:
    """An option announced by the engine."""

    name: str
    kind: str
    """``check``, ``spin``, ``combo``, ``button`` or ``string``."""
    default: str | None = None
    min: int | None = None
    max: int | None = None
    choices: tuple[str, ...] = ()
    """The values of a combo."""

    def text(self, value: object) -> str:
        """Formats a value for the protocol. Raises ``Error`` if the option does not accept it."""
        text = "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
        expected = None
        if "\n" in text or "\r" in text:
            expected = "one line"
        elif self.kind == "check" and text not in ("true", "false"):
            expected = "True or False"
        elif self.kind == "spin" and not self._fits(text):
            expected = "a whole number"
            if self.min is not None and self.max is not None:
                expected += f" from {self.min} to {self.max}"
            elif self.min is not None or self.max is not None:
                expected += f" of at least {self.min}" if self.max is None else f" of at most {self.max}"
        elif self.kind == "combo" and self.choices and text.lower() not in [choice.lower() for choice in self.choices]:
            expected = f"one of {', '.join(self.choices)}"
        elif self.kind == "button" and text:
            expected = "None: it is a button"
        if expected is not None:
            raise Error(f"option '{self.name}': {value!r} is not accepted, expected {expected}")
        return text

    def _fits(self, text: str) -> bool:
        try:
            number = int(text)
        except ValueError:
            return False
        return (self.min is None or number >= self.min) and (self.max is None or number <= self.max)


class EngineProcess:
    """An engine in a separate process, for analysis and play.

    ``command`` is a program, or a program and its arguments. ``protocol`` is ``uci`` or ``ucci``. ``options`` are set at the start;
    one that the engine does not announce, or a value that it does not accept, raises ``Error``. ``ranks`` is the number of Red's back rank
    in the engine's moves: 0, 1, or ``auto``, which selects 1 for multi-variant engines such as Fairy-Stockfish, and 0 for all others.
    ``patience`` is the timeout in seconds for answers other than moves, and the tolerance for late moves.

    The methods may be called from any thread; one search runs at a time. ``close``, or leaving a ``with`` block, ends the process. A
    program that cannot be started raises the matching ``OSError``, such as ``FileNotFoundError``; an engine that does not answer or has
    exited raises ``EngineProcessError``.
    """

    def __init__(
        self,
        command: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
        protocol: Literal["uci", "ucci"] = "uci",
        *,
        options: Mapping[str, str | int | bool | None] | None = None,
        name: str | None = None,
        folder: str | os.PathLike[str] | None = None,
        ranks: Literal["auto", 0, 1] = "auto",
        patience: float = 10.0,
    ) -> None:
        if protocol not in ("uci", "ucci"):
            raise Error(f"protocol {protocol!r}: expected uci or ucci")
        if ranks not in ("auto", 0, 1):
            raise Error(f"ranks {ranks!r}: expected auto, 0 or 1")
        words = [command] if isinstance(command, (str, os.PathLike)) else list(command)
        if not words:
            raise Error("command: expected a program")
        self._uci = protocol == "uci"
        self._patience = _seconds("patience", patience)
        self._pipes = _Pipes([os.fspath(word) for word in words], folder)
        # Ends the process when this object is garbage collected, and when Python exits.
        self._finalizer = weakref.finalize(self, self._pipes.kill)
        self._busy = threading.Lock()
        self._state = threading.Lock()
        self._searching = False
        self._closed = False
        self._milliseconds = self._uci
        # Whether the engine answers ``isready``; ``None`` until it should have answered once.
        self._answers_isready: bool | None = True if self._uci else None
        self._multipv = 1
        self._name = name or ""
        self._author = ""
        self._options: dict[str, EngineOption] = {}
        self._squares = "uci"
        try:
            counts_from_one = self._handshake(os.fspath(words[0]))
            if ranks == 1 or (ranks == "auto" and counts_from_one):
                self._squares = "uci10"
            for option, value in (options or {}).items():
                self._set(option, value)
            self._wait_ready()
        except BaseException:
            self.close()
            raise

    @property
    def name(self) -> str:
        """The name given to the constructor, otherwise the engine's own."""
        return self._name

    @property
    def author(self) -> str:
        """The author, as announced by the engine."""
        return self._author

    @property
    def options(self) -> dict[str, EngineOption]:
        """The options announced by the engine."""
        return {option.name: option for option in self._options.values()}

    @property
    def is_closed(self) -> bool:
        """Whether ``close`` was called."""
        return self._closed

    def set_option(self, name: str, value: str | int | bool | None = None) -> None:
        """Sets an option, or presses a button option, which has no value. Raises ``Error`` for an unknown option or a value not accepted."""
        with self._alone():
            self._set(name, value)
            self._wait_ready()

    def new_game(self) -> None:
        """Tells the engine that the next position belongs to a new game."""
        with self._alone():
            self._send("ucinewgame" if self._uci else "setoption newgame")
            self._wait_ready()

    def analyse(
        self,
        board: Board,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        movetime: float | None = None,
        mate: int | None = None,
        clocks: tuple[float, float] | None = None,
        increments: tuple[float, float] = (0.0, 0.0),
        movestogo: int | None = None,
        multipv: int = 1,
        searchmoves: Sequence[str] = (),
        on_line: Callable[[ProcessResult], object] | None = None,
        timeout: float | None = None,
    ) -> ProcessResult:
        """Searches until a limit is reached, or until ``stop``; without limits, the search is infinite.

        ``depth``, ``nodes``, ``movetime``, ``mate``, ``multipv``, ``searchmoves`` and ``on_line`` are those of ``Engine.analyse``.
        ``clocks`` are the remaining seconds of Red and Black, ``increments`` the seconds added per move, ``movestogo`` the moves to the next
        time control. UCCI supports only one limit at a time, and neither ``mate`` nor ``searchmoves``; an engine without the option
        ``usemillisec`` takes whole seconds, to which the clocks are rounded down. ``bestmove`` is ``None`` if the engine resigns.

        After ``timeout`` seconds the engine is stopped and ``EngineTimeout`` raised; with ``movetime`` or ``clocks`` the same happens
        ``patience`` seconds after that time has run out. An engine that does not stop is killed.
        """
        board = board.copy()
        moves = board.legal_moves()
        for move in searchmoves:
            if move not in moves:
                raise Error(f"move '{move}': not legal in {board.fen()}")
        _whole("multipv", multipv)
        root = board.root()
        # Engines do not expect pawns where no game puts them, and some search the position before instead.
        _require_searchable(root)
        limits = _Limits(depth, nodes, movetime, mate, clocks, increments, movestogo)
        written = [board.write(move, self._squares) for move in searchmoves]
        go = limits.uci(written) if self._uci else limits.ucci(board.turn, self._milliseconds, written)
        wait = limits.longest(board.turn)
        waits = [] if wait is None else [wait + self._patience]
        if timeout is not None:
            waits.append(_seconds("timeout", timeout))
        if not moves:
            # Many engines do not answer, or crash, when the game is over.
            return {"fen": board.fen(), "depth": 0, "nodes": 0, "time_ms": 0, "lines": [], "bestmove": None}
        with self._alone():
            if multipv != self._multipv:
                self._set("MultiPV", multipv)
            played = f" moves {' '.join(board.line(self._squares))}" if board.ply else ""
            self._pipes.forget()
            self._send(f"position fen {root.fen()}{played}")
            start = time.monotonic()
            with self._state:
                self._searching = True
                self._send(go)
            try:
                return self._listen(board, start, start + min(waits) if waits else None, on_line)
            finally:
                with self._state:
                    self._searching = False

    def play(
        self,
        board: Board,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        movetime: float | None = None,
        clocks: tuple[float, float] | None = None,
        increments: tuple[float, float] = (0.0, 0.0),
        movestogo: int | None = None,
        timeout: float | None = None,
    ) -> str | None:
        """The move played by the engine; ``None`` if there is no legal move, or it resigns. At least one limit is required."""
        if depth is None and nodes is None and movetime is None and clocks is None:
            raise Error("play: expected a limit: depth, nodes, movetime or clocks")
        found = self.analyse(
            board,
            depth=depth,
            nodes=nodes,
            movetime=movetime,
            clocks=clocks,
            increments=increments,
            movestogo=movestogo,
            timeout=timeout,
        )
        return found["bestmove"]

    def stop(self) -> None:
        """Stops the running search, if any; its result is returned as usual."""
        with self._state:
            if self._searching:
                self._send("stop")

    def close(self) -> None:
        """Quits the engine, and kills it after two seconds. A running search returns its result so far, or raises if the engine gives none.

        Closing twice does nothing.
        """
        with self._state:
            if self._closed:
                return
            self._closed = True
            if self._searching:
                self._send("stop")
            self._send("quit")
        self._pipes.wait(_QUIT_SECONDS)
        self._finalizer()

    def __enter__(self) -> EngineProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"EngineProcess('{self._name}'{', closed' if self._closed else ''})"

    def _alone(self) -> _Turn:
        if self._closed:
            raise Error(f"{self._name}: the engine is closed")
        if not self._busy.acquire(blocking=False):
            raise Error(f"{self._name}: the engine is searching; stop it first, or start another")
        return _Turn(self._busy)

    def _send(self, line: str) -> None:
        self._pipes.send(line)

    def _next(self, deadline: float | None) -> str | None:
        """The next line, ``None`` after the deadline. Raises if the process has ended."""
        try:
            return self._pipes.line(deadline)
        except EOFError:
            if self._closed:
                raise Error(f"{self._name}: the engine is closed") from None
            status = self._pipes.wait(_QUIT_SECONDS)
            how = "has closed its output" if status is None else f"ended with status {status}"
            if status is not None and status < 0:
                how = f"was ended by signal {-status}"
            problem = f"the process {how}"
        raise EngineCrashed(self._name, problem, self._pipes.last_lines(wait=True))

    def _fail(self, problem: str) -> EngineTimeout:
        """Kills an engine that does not answer, and returns the error to raise."""
        output = self._pipes.last_lines()
        self._pipes.kill()
        return EngineTimeout(self._name, problem, output)

    def _wait_ready(self) -> None:
        if self._answers_isready is False:
            return
        self._send("isready")
        is_optional = self._answers_isready is None
        deadline = time.monotonic() + (_OPTIONAL_READY_SECONDS if is_optional else self._patience)
        while (line := self._next(deadline)) != "readyok":
            if line is None and is_optional:
                self._answers_isready = False
                return
            if line is None:
                raise self._fail(f"no 'readyok' within {self._patience:g} s after 'isready'")
        self._answers_isready = True

    def _handshake(self, program: str) -> bool:
        """Sends the greeting and reads the engine's announcements; returns whether it counts ranks from 1."""
        own = self._name
        self._name = own or program
        counts_from_one = False
        greeting, ready = ("uci", "uciok") if self._uci else ("ucci", "ucciok")
        deadline = time.monotonic() + self._patience
        self._send(greeting)
        while (line := self._next(deadline)) != ready:
            if line is None:
                raise self._fail(f"no '{ready}' within {self._patience:g} s after '{greeting}'")
            if line.startswith("id name ") and not own:
                self._name = line[8:].strip()
            elif line.startswith("id author "):
                self._author = line[10:].strip()
            option = _announced(line, self._uci)
            if option is None:
                continue
            self._options[option.name.lower()] = option
            if option.name == "UCI_Variant":
                counts_from_one = option.default != "xiangqi"
                self._set("UCI_Variant", "xiangqi")
            elif option.name == "UCI_ShowWDL":
                self._set("UCI_ShowWDL", True)
            elif option.name == "usemillisec":
                self._set("usemillisec", True)
        return counts_from_one

    def _set(self, name: str, value: object) -> None:
        option = self._options.get(name.lower())
        if option is None:
            known = ", ".join(option.name for option in self._options.values()) or "none: it announces no options"
            raise Error(f"{self._name} has no option '{name}', expected one of {known}")
        text = option.text(value)
        if name.lower() == "multipv" and text.isdigit():
            # `analyse` sets it again only if it is different.
            self._multipv = int(text)
        if name.lower() == "usemillisec" and not self._uci:
            self._milliseconds = text == "true"
        if self._uci:
            self._send(f"setoption name {option.name}" + (f" value {text}" if text else ""))
        else:
            self._send(f"setoption {option.name} {text}".rstrip())

    def _listen(
        self, board: Board, start: float, deadline: float | None, on_line: Callable[[ProcessResult], object] | None
    ) -> ProcessResult:
        result: ProcessResult = {"fen": board.fen(), "depth": 0, "nodes": 0, "time_ms": 0, "lines": [], "bestmove": None}
        lines: dict[int, ProcessLine] = {}
        try:
            while True:
                line = self._next(deadline)
                if line is None:
                    raise EngineTimeout(
                        self._name, f"no move after {time.monotonic() - start:.1f} s", self._pipes.last_lines()
                    )
                words = line.split()
                if words[:1] == ["bestmove"] or words[:1] == ["nobestmove"]:
                    break
                found = _information(words, board, self._squares, self._uci) if words[:1] == ["info"] else None
                if found is None:
                    continue
                numbers, best = found
                result["depth"] = numbers.get("depth", result["depth"])
                result["nodes"] = numbers.get("nodes", result["nodes"])
                result["time_ms"] = int((time.monotonic() - start) * 1000)
                if best is not None:
                    lines[best["multipv"]] = best
                    if on_line is not None:
                        on_line({**result, "lines": [best]})
        except (EngineCrashed, Error):
            if not self._pipes.is_running():
                raise
            self._abandon()
            raise
        except BaseException:
            # A timeout, an interrupt or an exception from the callback: end the search, so that the engine stays usable.
            self._abandon()
            raise
        result["time_ms"] = int((time.monotonic() - start) * 1000)
        result["lines"] = [lines[number] for number in sorted(lines)]
        result["bestmove"] = self._best_move(words, board)
        return result

    def _best_move(self, words: list[str], board: Board) -> str | None:
        if not self._uci and words[-1] == "resign":
            return None
        if words[0] == "nobestmove" or words[1:2] in (["(none)"], ["null"], ["0000"]):
            return None
        text = words[1] if len(words) > 1 else ""
        try:
            return board.parse(text, self._squares)
        except Error:
            problem = f"plays '{text[:20]}', which is not legal in {board.fen()}"
        raise EngineProcessError(self._name, problem, self._pipes.last_lines())

    def _abandon(self) -> None:
        """Stops the search and waits for its end; an engine that does not stop is killed."""
        self._send("stop")
        deadline = time.monotonic() + self._patience
        try:
            while (line := self._pipes.line(deadline)) is not None:
                if line.split()[:1] in (["bestmove"], ["nobestmove"]):
                    return
        except EOFError:
            pass
        except BaseException:
            # A second interrupt: the next search would take the late move of this one for its own.
            self._pipes.kill()
            raise
        self._pipes.kill()


class _Turn:
    """Releases a lock at the end of a ``with`` block."""

    def __init__(self, lock: threading.Lock) -> None:
        self._lock = lock

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        self._lock.release()


class _Pipes:
    """A process, and threads that read and write its pipes, so that sending never blocks on a process that does not read."""

    def __init__(self, command: list[str], folder: str | os.PathLike[str] | None) -> None:
        apart: dict[str, Any] = {"start_new_session": True}
        if os.name == "nt":
            apart = {"creationflags": getattr(subprocess, "CREATE_NO_WINDOW", 0)}
        pipe = subprocess.PIPE
        try:
            self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, cwd=folder, **apart)
        except OSError as fault:
            # On Windows the error does not name the missing file.
            fault.filename = fault.filename or command[0]
            raise
        # The lines of standard output with the times of their arrival.
        self.lines: queue.Queue[tuple[float, str] | None] = queue.Queue()
        # A line that arrived after the deadline for it.
        self.late: tuple[float, str] | None = None
        self.unsent: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self.last: collections.deque[str] = collections.deque(maxlen=_LAST_LINES)
        self.errors = self._start(_read, self.process.stderr, None, self.last)
        self._start(_read, self.process.stdout, self.lines, self.last)
        self._start(_write, self.process.stdin, self.unsent)

    @staticmethod
    def _start(work: Callable[..., None], *arguments: object) -> threading.Thread:
        thread = threading.Thread(target=work, args=arguments, daemon=True)
        thread.start()
        return thread

    def send(self, line: str) -> None:
        self.unsent.put(line)

    def line(self, deadline: float | None) -> str | None:
        """The next line of standard output, ``None`` if it arrives after the deadline, even if the engine never stops writing. Raises
        ``EOFError`` at the end of the output."""
        gone = False
        while True:
            left = _POLL_SECONDS if deadline is None else min(_POLL_SECONDS, deadline - time.monotonic())
            try:
                line = self.late or self.lines.get(timeout=max(0.0, left))
            except queue.Empty:
                # Wait once more after the process has ended: its last lines may still be in the pipe.
                if gone:
                    raise EOFError from None
                gone = self.process.poll() is not None
                if deadline is not None and time.monotonic() >= deadline:
                    return None
                continue
            if line is None:
                self.lines.put(None)
                raise EOFError
            arrived, text = line
            self.late = line if deadline is not None and arrived > deadline else None
            return None if self.late else text

    def forget(self) -> None:
        """Discards all pending lines."""
        self.late = None
        while True:
            try:
                line = self.lines.get_nowait()
            except queue.Empty:
                return
            if line is None:
                self.lines.put(None)
                return

    def last_lines(self, wait: bool = False) -> list[str]:
        if wait:
            # The last output on standard error may arrive late.
            self.errors.join(_POLL_SECONDS)
        return list(self.last)

    def is_running(self) -> bool:
        return self.process.poll() is None

    def wait(self, seconds: float) -> int | None:
        """The exit status, ``None`` if the process is still running."""
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def kill(self) -> None:
        """Kills the process and its children."""
        self.unsent.put(None)
        if self.process.poll() is None:
            if os.name == "nt":
                self.process.kill()
            else:
                try:
                    os.killpg(self.process.pid, signal.SIGKILL)
                except OSError:
                    self.process.kill()
            self.wait(_QUIT_SECONDS)


def _read(pipe: IO[bytes], lines: queue.Queue[tuple[float, str] | None] | None, last: collections.deque[str]) -> None:
    with pipe:
        # An overlong line is read in parts.
        while raw := pipe.readline(1 << 16):
            line = raw.decode(errors="replace").strip()
            if line:
                last.append(line[:200])
                if lines is not None:
                    lines.put((time.monotonic(), line))
    if lines is not None:
        lines.put(None)


def _write(pipe: IO[bytes], unsent: queue.SimpleQueue[str | None]) -> None:
    try:
        with pipe:
            while (line := unsent.get()) is not None:
                # File names among the options may be in another encoding.
                pipe.write(f"{line}\n".encode(errors="surrogateescape"))
                pipe.flush()
    except OSError:
        # The process has ended, which the reader of its output will notice.
        pass


def _seconds(name: str, value: float) -> float:
    if not 0.0 <= value <= 1e7:
        raise Error(f"{name} {value}: expected seconds from 0 to 10 million")
    return float(value)


def _whole(name: str, number: int | None, most: int | None = None) -> None:
    """Raises ``Error`` for a number that is not whole, such as ``1e6``: engines would read only the digits before its point."""
    if number is None:
        return
    try:
        value = operator.index(number)
    except TypeError:
        raise Error(f"{name} {number!r}: expected a whole number") from None
    if value < 1 or (most is not None and value > most):
        raise Error(f"{name} {number}: expected {'at least 1' if most is None else f'1 to {most}'}")


@dataclass(frozen=True)
class _Limits:
    depth: int | None
    nodes: int | None
    movetime: float | None
    mate: int | None
    clocks: tuple[float, float] | None
    increments: tuple[float, float]
    movestogo: int | None

    def __post_init__(self) -> None:
        for name in ("depth", "nodes", "mate", "movestogo"):
            _whole(name, getattr(self, name))
        for name in ("movetime", "clocks", "increments"):
            value = getattr(self, name)
            for seconds in () if value is None else value if isinstance(value, tuple) else (value,):
                _seconds(name, seconds)
        if self.clocks is None and (self.movestogo is not None or any(self.increments)):
            raise Error("increments, movestogo: expected clocks too")

    def longest(self, turn: str) -> float | None:
        """The longest time in seconds that a move may take."""
        own = None if self.clocks is None else self.clocks[turn == "black"]
        both = [seconds for seconds in (self.movetime, own) if seconds is not None]
        return min(both) if both else None

    def uci(self, searchmoves: Sequence[str]) -> str:
        words = ["go"]
        if self.clocks is not None:
            for name, seconds in zip(("wtime", "btime", "winc", "binc"), (*self.clocks, *self.increments), strict=True):
                words += [name, str(round(seconds * 1000))]
            if self.movestogo is not None:
                words += ["movestogo", str(self.movestogo)]
        for name in ("depth", "nodes", "mate"):
            if (number := getattr(self, name)) is not None:
                words += [name, str(number)]
        if self.movetime is not None:
            words += ["movetime", str(round(self.movetime * 1000))]
        if len(words) == 1:
            words.append("infinite")
        # Last, because some engines interpret every word after it as a move.
        return " ".join([*words, "searchmoves", *searchmoves] if searchmoves else words)

    def ucci(self, turn: str, milliseconds: bool, searchmoves: Sequence[str]) -> str:
        if self.mate is not None or searchmoves:
            raise Error("mate, searchmoves: UCCI does not know them, expected depth, nodes, movetime or clocks")
        given = [name for name in ("depth", "nodes", "movetime", "clocks") if getattr(self, name) is not None]
        if len(given) > 1:
            raise Error(f"{', '.join(given)}: UCCI takes one limit at a time")
        if self.depth is not None:
            return f"go depth {self.depth}"
        if self.nodes is not None:
            return f"go nodes {self.nodes}"

        def unit(seconds: float) -> int:
            return round(seconds * 1000) if milliseconds else int(seconds)

        for seconds in (self.movetime or 0.0, *self.increments):
            if not milliseconds and seconds != int(seconds):
                raise Error(f"movetime, increments: {seconds}, but the engine takes whole seconds, it has no option usemillisec")
        if self.movetime is not None:
            # UCCI has no time per move; a time control of one move is equivalent.
            return f"go time {unit(self.movetime)} movestogo 1"
        if self.clocks is None:
            return "go infinite"
        own = int(turn == "black")
        if self.movestogo is not None and any(self.increments):
            raise Error("increments, movestogo: UCCI takes one of them at a time")
        times, more = [unit(seconds) for seconds in self.clocks], [unit(seconds) for seconds in self.increments]
        if self.movestogo is not None:
            return f"go time {times[own]} movestogo {self.movestogo} opptime {times[1 - own]} oppmovestogo {self.movestogo}"
        return f"go time {times[own]} increment {more[own]} opptime {times[1 - own]} oppincrement {more[1 - own]}"


_ITEMS = ("type", "default", "min", "max", "var")


def _announced(line: str, uci: bool) -> EngineOption | None:
    """The option announced by a line. UCI has ``option name N type T …``, where the name may contain spaces; UCCI omits ``name``."""
    words = line.split()
    if words[:1] != ["option"]:
        return None
    words = words[1:]
    if words[:1] == ["name"]:
        words = words[1:]
    elif uci:
        return None
    end = words.index("type") if "type" in words else len(words)
    items: list[tuple[str, list[str]]] = []
    for word in words[end:]:
        if word in _ITEMS:
            items.append((word, []))
        elif items:
            items[-1][1].append(word)
    values = {item: " ".join(value) for item, value in items}

    def number(item: str) -> int | None:
        try:
            return int(values[item])
        except (KeyError, ValueError):
            return None

    return EngineOption(
        name=" ".join(words[:end]),
        kind=values.get("type", "string"),
        default=values.get("default"),
        min=number("min"),
        max=number("max"),
        choices=tuple(" ".join(value) for item, value in items if item == "var"),
    )


def _information(
    words: Sequence[str], board: Board, squares: str, uci: bool
) -> tuple[dict[str, int], ProcessLine | None] | None:
    """Depth and nodes of an ``info`` line, and its variation unless the score is only a bound. Malformed lines are ignored."""
    numbers: dict[str, int] = {}
    score: Score | None = None
    wdl: list[int] | None = None
    moves: list[str] = []
    bound = False
    at = 1
    try:
        while at < len(words):
            word = words[at]
            at += 1
            if word in ("depth", "nodes", "multipv"):
                numbers[word] = int(words[at])
                at += 1
            elif word == "score":
                kind = words[at]
                at += 1
                if kind == "cp":
                    score = {"cp": int(words[at])}
                    at += 1
                elif kind == "mate":
                    score = {"mate": int(words[at])}
                    at += 1
                elif not uci:
                    score = _score_from_ucci(int(kind))
            elif word in ("lowerbound", "upperbound"):
                bound = True
            elif word == "wdl":
                wdl = [int(words[at + place]) for place in range(3)]
                at += 3
            elif word == "pv":
                moves = list(words[at:])
                break
            elif word in ("string", "message"):
                break
    except (IndexError, ValueError, OverflowError):
        return None
    if score is None or bound:
        return numbers, None
    line = board.copy()
    for move in moves:
        try:
            line.push_text(move, squares)
        except Error:
            break
    played = line.ply - board.ply
    if not played:
        return numbers, None
    after = {system: line.line(system)[-played:] for system in ("uci", "wxr", "chinese")}
    best: ProcessLine = {
        "multipv": max(1, numbers.get("multipv", 1)),
        "score": score,
        "pv": after["uci"],
        "pv_wxr": after["wxr"],
        "pv_chinese": after["chinese"],
    }
    if wdl is not None:
        best["wdl"] = wdl
    return numbers, best
