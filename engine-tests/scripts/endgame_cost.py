#!/usr/bin/env python3
"""Measures the cost of the endgame tables for a search to which no table applies: instructions with and without them, by valgrind.

    endgame_cost.py CHUHE [NODES] [FOLDER]
"""
import re
import subprocess
import sys
import tempfile

POSITIONS = [
    ("start", "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w"),
    ("middle game", "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w"),
    ("endgame, 18 pieces", "3akab2/9/4b1n2/4p3p/2p6/4P1P2/P7P/4B4/4A4/2BAK1N2 w"),
    ("endgame, 11 pieces", "2bak4/4a4/9/4p4/9/2P3N2/4P1n2/4B4/4A4/4K4 w"),
    ("endgame, 8 pieces", "4k4/4a4/9/4p4/9/2P3N2/4P1n2/9/9/4K4 w"),
]


def instructions(program, fen, nodes, options):
    with tempfile.NamedTemporaryFile() as counts:
        command = ["valgrind", "--tool=cachegrind", "--cache-sim=no", f"--cachegrind-out-file={counts.name}", program]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
        with subprocess.Popen(command, **pipes) as engine:
            for line in ["uci", *options, f"position fen {fen}", f"go nodes {nodes}"]:
                print(line, file=engine.stdin, flush=True)
            said = ""
            for line in engine.stdout:
                said = line if line.startswith("info depth") else said
                if line.startswith("bestmove"):
                    break
            print("quit", file=engine.stdin, flush=True)
            engine.stdout.read()
        summary = re.search(r"^summary: *(\d+)", open(counts.name, encoding="utf-8").read(), re.M)
    hits = re.search(r"tbhits (\d+)", said)
    return int(summary[1]), int(hits[1]) if hits else 0


def main():
    program = sys.argv[1]
    nodes = int(sys.argv[2]) if len(sys.argv) > 2 else 20000
    path = [f"setoption name EndgamePath value {sys.argv[3]}"] if len(sys.argv) > 3 else []
    for name, fen in POSITIONS:
        off, on = (path + [f"setoption name Use Endgames value {value}"] for value in ("false", "true"))
        nothing, _ = instructions(program, fen, 1, off)
        without, _ = instructions(program, fen, nodes, off)
        tables, hits = instructions(program, fen, nodes, on)
        share = 100.0 * (tables - without) / (without - nothing)
        print(f"{name}: {without - nothing} instructions, {share:+.3f} % with tables, {hits} hits", flush=True)


if __name__ == "__main__":
    main()
