#!/usr/bin/env python3
"""Compares the nodes per second of processor time of two UCI engines, in alternating runs over the positions of the benchmark.

    engine-tests/scripts/compare_speed.py NEW OLD [--nodes N] [--pairs N] [--network FILE]

--network: the `EvalFile` of NEW, so that both use the network built into OLD. One thread, 64 MiB.
Every run uses a fresh copy of the program, after a first search that is not counted, since it loads the pages of the program.
Prints every pair, then the median of the ratios NEW / OLD.

The nodes of a search are its limit, not those of its last line: the last line is printed at the end of the last full
iteration, while the time runs until the limit. A search that ends earlier, at the greatest depth, prints its last line there.
"""

import argparse
import pathlib
import shutil
import statistics
import subprocess
import tempfile

from nominal_depth import positions

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w"
GREATEST_DEPTH = 199
"""Plies; of the first version and of today's. A search without a limit ends there."""


def processor_seconds(process):
    """Processor time of all threads of a process so far (Linux)."""
    tasks = pathlib.Path(f"/proc/{process.pid}/task").glob("*/schedstat")
    return sum(int(task.read_text().split()[0]) for task in tasks) / 1e9


def measure(program, nodes, games, network):
    """Total nodes, and total processor time in seconds from `go` to `bestmove`, over all positions."""
    engine = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def send(text):
        engine.stdin.write(text + "\n")
        engine.stdin.flush()

    def wait():
        send("isready")
        for line in engine.stdout:
            if line.startswith("info string") and "error" in line:
                raise SystemExit(f"{program}: {line.strip()}")
            if line.strip() == "readyok":
                return

    send("uci\nsetoption name UCI_Variant value xiangqi\nsetoption name Threads value 1\nsetoption name Hash value 64")
    if network:
        send(f"setoption name EvalFile value {network}")
    searches = []
    for fen, moves in [(START, ""), *games]:
        send(f"ucinewgame\nposition fen {fen}" + (f" moves {moves}" if moves else ""))
        wait()
        before, depth, spent = processor_seconds(engine), 0, 0
        send(f"go nodes {nodes}")
        for line in engine.stdout:
            words = line.split()
            if words[:1] == ["info"] and "nodes" in words and "depth" in words:
                depth, spent = (int(words[words.index(name) + 1]) for name in ("depth", "nodes"))
            if words[:1] == ["bestmove"]:
                break
        if depth < GREATEST_DEPTH:
            spent = nodes
        searches.append((spent, processor_seconds(engine) - before))
    send("quit")
    engine.wait()
    spent, seconds = zip(*searches[1:])
    return sum(spent), sum(seconds)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("new")
    parser.add_argument("old")
    parser.add_argument("--nodes", type=int, default=200_000, help="a position")
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("--network", help="EvalFile of NEW")
    arguments = parser.parse_args()
    games = positions()
    ratios = []
    for pair in range(arguments.pairs):
        order = [("new", arguments.new, arguments.network), ("old", arguments.old, None)]
        speeds = {}
        for name, program, network in order if pair % 2 == 0 else reversed(order):
            # A fresh copy each time, since the placement of the program's pages in memory accounts for a few percent.
            with tempfile.TemporaryDirectory() as folder:
                copy = shutil.copy(program, folder)
                nodes, seconds = measure(copy, arguments.nodes, games, network)
            speeds[name] = nodes / seconds
        ratios.append(speeds["new"] / speeds["old"])
        print(f"{speeds['new']:.0f} {speeds['old']:.0f} {ratios[-1]:.3f}", flush=True)
    print(f"median {statistics.median(ratios):.3f} of {len(ratios)} pairs, {min(ratios):.3f} to {max(ratios):.3f}")


if __name__ == "__main__":
    main()
