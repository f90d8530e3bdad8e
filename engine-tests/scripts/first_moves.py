#!/usr/bin/env python3
"""Measures the first search after the size of the hash table was set, for large tables.

    first_moves.py ENGINE [--sizes 16,256,1024,4096] [--go "movetime 100"] [--runs 9] [--no-isready] [--new-game]

Every run restarts the engine, sets `Hash`, waits for `readyok` (unless --no-isready), and searches the start position once. With
--new-game the table is used for half a second and cleared by `ucinewgame` in between. The sizes alternate. Prints for each size the
medians: milliseconds until `readyok`, resident memory in MiB then, nodes per second up to the last line of analysis, its depth,
and milliseconds until `bestmove`, with the maximum.
"""

import argparse
import statistics
import subprocess
import time


class Engine:
    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.ask("uci", "uciok")

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def ask(self, line, word):
        """Sends a line and waits for one that begins with the word; returns the elapsed milliseconds."""
        start = time.monotonic()
        self.send(line)
        for answer in self.process.stdout:
            if answer.startswith(word):
                return 1000 * (time.monotonic() - start)
            if " nodes " in answer:
                self.last = answer.split()
        raise SystemExit("the engine has gone")

    def resident(self):
        with open(f"/proc/{self.process.pid}/status") as status:
            return next(int(line.split()[1]) // 1024 for line in status if line.startswith("VmRSS"))

    def value(self, name):
        return int(self.last[self.last.index(name) + 1])


def run(arguments, size):
    engine = Engine(arguments.engine)
    engine.send(f"setoption name Hash value {size}")
    ready = 0 if arguments.no_isready else engine.ask("isready", "readyok")
    if arguments.new_game:
        engine.ask("go movetime 500", "bestmove")
        engine.send("ucinewgame")
        ready = engine.ask("isready", "readyok")
    memory = engine.resident()
    move = engine.ask(f"go {arguments.go}", "bestmove")
    speed, depth = 1000 * engine.value("nodes") / max(1, engine.value("time")), engine.value("depth")
    engine.send("quit")
    engine.process.wait()
    return ready, memory, speed, depth, move


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine")
    parser.add_argument("--sizes", default="16,256,1024,4096")
    parser.add_argument("--go", default="movetime 100")
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--no-isready", action="store_true")
    parser.add_argument("--new-game", action="store_true")
    arguments = parser.parse_args()
    sizes = [int(size) for size in arguments.sizes.split(",")]
    rows = {size: [] for size in sizes}
    for _ in range(arguments.runs):
        for size in sizes:
            rows[size].append(run(arguments, size))
    for size in sizes:
        columns = list(zip(*rows[size]))
        ready, memory, speed, depth, move = (statistics.median(column) for column in columns)
        print(f"{size} MiB: readyok {ready:.0f} ms (most {max(columns[0]):.0f}), {memory:.0f} MiB there, {speed / 1000:.0f} knodes/s, "
              f"depth {depth:.0f}, bestmove {move:.0f} ms (most {max(columns[4]):.0f})", flush=True)


if __name__ == "__main__":
    main()
