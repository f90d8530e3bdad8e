#!/usr/bin/env python3
"""Measures the delay of UCI engines' answers to `go movetime` on a processor core with other load.

    late_answers.py [--moves 200] [--movetime 100] [--loops 4] [--core 0] ENGINE [ENGINE ...]

Every engine runs with its default options on one core, together with the given number of busy loops; this script runs on another core, if there
is one. The engines alternate move by move, so that they are measured under the same conditions. Prints for each engine the median, the 90th
and 99th percentile and the maximum time from sending `go` to receiving `bestmove`, in milliseconds.
"""

import argparse
import os
import subprocess
import time


class Engine:
    def __init__(self, path, core):
        pin = lambda: os.sched_setaffinity(0, {core})
        self.path = path
        self.process = subprocess.Popen(path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, preexec_fn=pin)
        self.times = []
        self.ask("uci", "uciok")
        if "UCI_Variant" in self.greeting:
            self.send("setoption name UCI_Variant value xiangqi")
        self.ask("isready", "readyok")

    def send(self, line):
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, line, word):
        """Sends a line and waits for one that begins with the word; returns the elapsed milliseconds."""
        self.greeting = ""
        start = time.monotonic()
        self.send(line)
        while True:
            answer = self.process.stdout.readline().decode()
            if not answer:
                raise SystemExit(f"{self.path} has gone")
            if answer.startswith(word):
                return 1000 * (time.monotonic() - start)
            self.greeting += answer

    def move(self, number, movetime):
        # Another position each time, so that the result is not in the table.
        self.send("position startpos moves h2e2 " + ["h9g7", "b9c7", "h7e7", "b7e7", "g6g5", "c6c5"][number % 6])
        self.times.append(self.ask(f"go movetime {movetime}", "bestmove"))

    def report(self):
        times = sorted(self.times)
        part = lambda share: times[min(len(times) - 1, int(share * len(times)))]
        print(f"{self.path}: median {part(0.5):.0f}, p90 {part(0.9):.0f}, p99 {part(0.99):.0f}, largest {times[-1]:.0f} ms")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engines", nargs="+", metavar="ENGINE")
    for name, default in [("moves", 200), ("movetime", 100), ("loops", 4), ("core", 0)]:
        parser.add_argument(f"--{name}", type=int, default=default)
    arguments = parser.parse_args()
    others = os.sched_getaffinity(0) - {arguments.core}
    if others:
        os.sched_setaffinity(0, others)
    pin = lambda: os.sched_setaffinity(0, {arguments.core})
    loops = [subprocess.Popen(["sh", "-c", "while :; do :; done"], preexec_fn=pin) for _ in range(arguments.loops)]
    try:
        engines = [Engine(path, arguments.core) for path in arguments.engines]
        for number in range(arguments.moves):
            for engine in engines:
                engine.move(number, arguments.movetime)
        for engine in engines:
            engine.report()
            engine.send("quit")
    finally:
        for loop in loops:
            loop.kill()


if __name__ == "__main__":
    main()
