#!/usr/bin/env python3
"""Measures the depth that engines reach in the positions of the benchmark, on one thread, without mates.

    engine-tests/scripts/nominal_depth.py [--movetime MS | --nodes N] ENGINE...

ENGINE: a UCI program. Prints the mean depth of the last exact score, the nodes and the nodes per second of each.
"""

import argparse
import pathlib
import re
import subprocess

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"


def positions():
    source = pathlib.Path(__file__).parents[2] / "src/threads/bench.rs"
    table = source.read_text().split("const POSITIONS", 1)[1].split("];\n", 1)[0]
    table = re.sub(r"\\\n\s*", "", table)
    rows = re.findall(r'\(\s*(START_FEN|"[^"]*"),\s*"([^"]*)",?\s*\)', table)
    return [(START if fen == "START_FEN" else fen.strip('"'), moves) for fen, moves in rows]


def measure(program, limit, games):
    engine = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def send(text):
        engine.stdin.write(text + "\n")
        engine.stdin.flush()

    send("uci\nsetoption name UCI_Variant value xiangqi\nsetoption name Threads value 1\nsetoption name Hash value 64")
    depths, nodes, milliseconds = [], 0, 0
    for fen, moves in games:
        send(f"ucinewgame\nposition fen {fen}" + (f" moves {moves}" if moves else "") + f"\ngo {limit}")
        depth, mate, spent, time = 0, False, 0, 0
        for line in engine.stdout:
            words = line.split()
            if words[:1] == ["info"] and "score" in words and "lowerbound" not in words and "upperbound" not in words:
                depth = int(words[words.index("depth") + 1])
                mate = "mate" in words
                spent, time = int(words[words.index("nodes") + 1]), int(words[words.index("time") + 1])
            if words[:1] == ["bestmove"]:
                break
        if not mate:
            depths.append(depth)
        nodes, milliseconds = nodes + spent, milliseconds + time
    send("quit")
    engine.wait()
    return depths, nodes, milliseconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine", nargs="+")
    parser.add_argument("--nodes", type=int)
    parser.add_argument("--movetime", type=int, default=100, help="milliseconds")
    arguments = parser.parse_args()
    limit = f"nodes {arguments.nodes}" if arguments.nodes else f"movetime {arguments.movetime}"
    for program in arguments.engine:
        depths, nodes, milliseconds = measure(program, limit, positions())
        mean = sum(depths) / max(len(depths), 1)
        speed = nodes / max(milliseconds, 1)
        print(f"{program}: {limit}: depth {mean:.2f} in {len(depths)} positions, {nodes} nodes, {speed:.0f} nodes a millisecond", flush=True)


if __name__ == "__main__":
    main()
