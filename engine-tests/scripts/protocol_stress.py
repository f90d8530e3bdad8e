#!/usr/bin/env python3
"""Simulates a misbehaving client: whatever it sends, every `go` must get exactly one answer, and the engine must not crash, hang or write to
stderr.

    protocol_stress.py ENGINE [--seconds S] [--seed N] [--only SCENARIO]

Runs random scenarios, each in UCI or UCCI. Ends with one line of counts, or with the protocol log of the failure.
"""

import argparse
import os
import random
import select
import signal
import subprocess
import sys
import time

PATIENCE = 60.0
FENS = [
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
    "r1bakab1r/9/1cn2cn2/p1p1p1p1p/9/2P6/P3P1P1P/1C2C1N2/9/RNBAKABR1 b - - 3 5",
    "3akab2/9/4b3n/p3p3p/2n3r2/P3P4/4c3P/N3C1N2/4A4/2BAK1B1R w",
    "3k5/5R3/9/9/9/9/9/9/9/4K1R2 w - - 0 1",
    "3k2R2/5R3/9/9/9/9/9/9/9/4K4 b - - 0 1",
]
NOISE = ["", "   ", "xyzzy", "stopp", "position", "position fen", "position fen 9/9/9 w", "position startpos moves a0a9", "go_depth 3",
         "setoption", "setoption name", "setoption name Hash value", "setoption name Hash value -5", "setoption hashsize x",
         "banmoves", "banmoves zz", "probe", "probe startpos", "debug on", "ponderhit draw", "d", "eval", "flip", "uci2", "isreadyy"]


class Failure(Exception):
    pass


class Engine:
    def __init__(self, path, dialect):
        self.dialect, self.log, self.buffer = dialect, [], b""
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0)
        self.send(dialect)
        self.until(dialect + "ok")

    def raw(self, data):
        self.log.append("> " + repr(data[:120]))
        view = memoryview(data)
        os.set_blocking(self.process.stdin.fileno(), False)
        deadline = time.monotonic() + PATIENCE
        while view:
            # Keeps reading, since two full pipes would be a deadlock caused by this script.
            readable, writable, _ = select.select([self.process.stdout], [self.process.stdin], [], 1)
            if readable:
                self.fill()
            if writable:
                view = view[os.write(self.process.stdin.fileno(), view[:65536]) :]
            if time.monotonic() > deadline:
                raise Failure("does not read")

    def send(self, *lines):
        self.raw("".join(line + "\n" for line in lines).encode())

    def fill(self):
        data = os.read(self.process.stdout.fileno(), 1 << 16)
        if not data:
            raise Failure(f"ended with status {self.process.wait()}")
        self.buffer += data

    def line(self, limit=PATIENCE):
        deadline = time.monotonic() + limit
        while b"\n" not in self.buffer:
            left = deadline - time.monotonic()
            if left < 0 or not select.select([self.process.stdout], [], [], left)[0]:
                return None
            self.fill()
        line, self.buffer = self.buffer.split(b"\n", 1)
        text = line.decode("utf-8", "replace")
        self.log.append("< " + text[:160])
        if len(line) > 1000 or text != text.rstrip():
            raise Failure("a line too long, or with blanks at its end")
        return text

    def until(self, *words):
        """All lines up to the first whose first word is one of these."""
        lines = []
        while True:
            line = self.line()
            if line is None:
                raise Failure(f"no {' or '.join(words)}")
            lines.append(line)
            if line.split(" ")[0] in words:
                return lines

    def answer(self):
        """One answer to `go`, which must be the first move of the last variation."""
        lines = self.until("bestmove", "nobestmove")
        best = lines[-1].split(" ")
        if any("info" in line and " book move " in line for line in lines):
            return best[0]
        reported = [line.split(" pv ")[1].split(" ")[0] for line in lines if " pv " in line and (" multipv 1 " in line or "multipv" not in line)]
        if best[0] == "bestmove" and best[1] != "(none)" and reported and reported[-1] != best[1]:
            raise Failure("the answer is not the first move of the last line")
        return best[0]

    def quiet(self, allowed=()):
        """Only `readyok` may follow."""
        self.send("isready")
        lines = self.until("readyok")[:-1]
        while (line := self.line(0.03)) is not None:
            lines.append(line)
        stray = [line for line in lines if line.split(" ")[0] in ("bestmove", "nobestmove") and line not in allowed]
        if stray:
            raise Failure(f"stray {stray}")
        return lines

    def end(self, by_quit=False):
        if by_quit:
            self.send("quit")
        else:
            self.process.stdin.close()
        deadline = time.monotonic() + PATIENCE
        errors = b""
        while self.process.poll() is None or select.select([self.process.stdout], [], [], 0)[0]:
            if time.monotonic() > deadline:
                raise Failure("does not end")
            if select.select([self.process.stdout], [], [], 0.02)[0] and not os.read(self.process.stdout.fileno(), 1 << 16):
                self.process.wait(PATIENCE)
                break
        errors = self.process.stderr.read()
        if self.process.returncode != 0 or errors:
            raise Failure(f"status {self.process.returncode}, stderr {errors!r}")


def position(dice):
    fen = dice.choice(FENS[:3])
    return dice.choice(["position startpos", "position startpos moves h2e2 h9g7", f"position fen {fen}", f"position fen {fen} moves"])


def option(dice):
    name, value = dice.choice(
        [("Threads", dice.randint(1, 8)), ("Hash", dice.choice([1, 2, 7, 64, 300])), ("MultiPV", dice.randint(1, 500)),
         ("Ponder", "true"), ("Notation", dice.choice(["off", "wxr", "chinese", "wxf"])), ("UCI_ShowWDL", dice.choice(["true", "false"])),
         ("Repetition Rule", dice.choice(["World", "ChineseRule", "AllowChase"])), ("Skill Level", dice.choice([0, 20])),
         ("Move Overhead", dice.randint(0, 30)), ("Clear Hash", None), ("encoding", dice.choice(["auto", "UTF-8", "GBK", "Big5"])),
         ("drawmoves", dice.choice([0, 10, 100, 1000])), ("repetition", dice.choice(["chineserule", "alwaysdraw", "checkban", "asianrule"])),
         ("Book File", dice.choice(["/", "missing;<embedded>", "<empty>", "missing.obk"])), ("OwnBook", dice.choice(["true", "false"]))])
    return f"setoption name {name}" + (f" value {value}" if value is not None else "")


def go_and_stop(engine, dice):
    """Rapid pairs of commands, each awaited."""
    for _ in range(50):
        engine.send(position(dice), "go infinite", *["isready"] * dice.randint(0, 2), "stop")
        engine.answer()
    engine.quiet()


def go_and_stop_at_once(engine, dice):
    """Rapid pairs of commands, all sent before anything is read."""
    count = 100
    engine.raw(("position startpos\ngo infinite\nstop\n" * count).encode())
    for _ in range(count):
        engine.answer()
    engine.quiet()


def disturbed_search(engine, dice):
    """All other commands, during a search."""
    engine.send(position(dice), "go infinite")
    for _ in range(dice.randint(1, 12)):
        engine.send(dice.choice([position, option, lambda d: d.choice(NOISE), lambda d: "isready", lambda d: "go depth 3", lambda d: "ucinewgame",
                                 lambda d: "ponderhit", lambda d: "probe startpos"])(dice))
        time.sleep(dice.random() * 0.004)
    engine.send("stop")
    engine.answer()
    engine.send("stop" if engine.dialect == "uci" else "isready")
    engine.quiet()


def options_between_searches(engine, dice):
    """Small and large tables, many threads, many lines."""
    for _ in range(8):
        engine.send(*(option(dice) for _ in range(dice.randint(1, 4))), position(dice), f"go nodes {dice.randint(1, 4000)}")
        engine.answer()
    engine.quiet()


def large_tables(engine, dice):
    """Table sizes from one MiB to one GiB and back."""
    for size in (1, dice.choice([512, 1024]), 1):
        engine.send(f"setoption name Hash value {size}", position(dice), "go movetime 30")
        engine.answer()
    engine.quiet()


def ponder_races(engine, dice):
    """A ponder search with a hit, a miss or both."""
    for _ in range(10):
        engine.send(position(dice), f"go ponder wtime {dice.choice([0, 10, 100])} btime {dice.choice([0, 10, 100])}")
        time.sleep(dice.random() * 0.01)
        engine.send(*dice.choice([["ponderhit"], ["stop"], ["ponderhit", "ponderhit"], ["ponderhit", "isready"]]))
        engine.answer()
        engine.quiet()
        engine.send(position(dice), "go ponder wtime 10 btime 10", "ponderhit", "stop")
        engine.answer()
        # If the stop reached an idle engine, UCCI requires an answer.
        engine.quiet(allowed=("nobestmove",))


def finished_positions(engine, dice):
    """Mates and mated positions."""
    for fen in FENS[3:]:
        engine.send(f"position fen {fen}", dice.choice(["go depth 3", "go movetime 5", "go mate 1", "go nodes 10"]))
        engine.answer()
    engine.quiet()


def long_lines(engine, dice):
    """A line of a megabyte."""
    word = dice.choice(["x", "h2e2 ", "moves ", "position startpos moves h2e2 h9g7 ", "\0", "go ", "馬 "])
    start = dice.choice(["", "position startpos moves ", "go ", "setoption name Hash value ", "banmoves "])
    engine.raw((start + word * (1_000_000 // len(word)) + "\n").encode())
    if (start or word) == "go ":
        # A search without limits, whatever follows.
        engine.send("stop")
        engine.answer()
    engine.quiet()


def paths_in_any_bytes(engine, dice):
    """File names that are invalid in every encoding: reported at most once, and the search continues without them."""
    for name in (b"bookfiles", b"evalfile", b"name Book File value"):
        path = bytes(byte for byte in dice.randbytes(dice.randint(1, 3000)) if byte not in b"\n")
        engine.raw(b"setoption usebook true\nsetoption " + name + b" " + path + b"\nposition startpos\ngo nodes 100\n")
        engine.answer()
    engine.send("setoption evalfile", "setoption bookfiles <embedded>")
    engine.quiet()


def binary_noise(engine, dice):
    """Bytes of all kinds."""
    engine.raw(bytes(byte for byte in dice.randbytes(20000)))
    engine.raw(b"\n")
    engine.send("stop", "position startpos", "isready")
    engine.until("readyok")
    engine.send("go depth 2")
    engine.answer()


SCENARIOS = [go_and_stop, go_and_stop_at_once, disturbed_search, options_between_searches, large_tables, ponder_races, finished_positions,
             long_lines, paths_in_any_bytes, binary_noise]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only")
    arguments = parser.parse_args()
    scenarios = [scenario for scenario in SCENARIOS if arguments.only in (None, scenario.__name__)]
    dice = random.Random(arguments.seed)
    deadline = time.monotonic() + arguments.seconds
    counts, processes, slowest = {}, 0, 0.0
    while time.monotonic() < deadline:
        dialect = dice.choice(["uci", "ucci"])
        engine = Engine(arguments.engine, dialect)
        processes += 1
        try:
            for _ in range(dice.randint(1, 6)):
                scenario = dice.choice(scenarios)
                engine.log.append(f"-- {scenario.__name__}")
                scenario(engine, dice)
                counts[scenario.__name__] = counts.get(scenario.__name__, 0) + 1
            # The input may end at any time, even within a line.
            tail = f"{option(dice)}\n{position(dice)}\ngo {dice.choice(['infinite', 'depth 30', 'movetime 5000', 'ponder wtime 1 btime 1'])}\n{option(dice)}\n"
            tail = tail[: dice.randint(0, len(tail))]
            engine.raw(tail.encode())
            time.sleep(dice.random() * 0.02)
            start = time.monotonic()
            engine.end(by_quit=tail[-1:] in ("", "\n") and dice.random() < 0.3)
            slowest = max(slowest, time.monotonic() - start)
        except (Failure, BrokenPipeError) as failure:
            if engine.process.poll() is None:
                engine.process.send_signal(signal.SIGKILL)
            errors = engine.process.stderr.read().decode("utf-8", "replace")
            print("\n".join(engine.log[-60:]))
            sys.exit(f"{dialect}: {failure!r}\nstderr: {errors}\nseed {arguments.seed}")
    print(f"passed: {processes} processes, slowest end {slowest * 1000:.0f} ms, {counts}")


if __name__ == "__main__":
    main()
