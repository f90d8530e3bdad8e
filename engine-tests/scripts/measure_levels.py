#!/usr/bin/env python3
"""Measures the levels of play: each against the one below it, by `chuhe match`.

    engine-tests/scripts/measure_levels.py ./chuhe 0 400 700 full --games 200

The numbers are values of UCI_Elo, from the weakest; 0 makes only random moves, `full` is full strength with --nodes
nodes per move. Prints a line of a Markdown table for each pair as soon as it is finished.
"""

import argparse
import re
import subprocess


def engine(program, strength):
    limit = "" if strength == "full" else f",option.UCI_LimitStrength=true,option.UCI_Elo={strength}"
    return f"cmd={program},name={strength},option.Hash=4{limit}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="the chuhe program")
    parser.add_argument("strengths", nargs="+", help="values of UCI_Elo from the weakest, or full")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--nodes", type=int, default=300_000, help="nodes for a move at full strength")
    parser.add_argument("--concurrency", type=int, default=1)
    arguments = parser.parse_args()
    print("| strength | against | games | won-drawn-lost | Elo difference |\n|---|---|---|---|---|", flush=True)
    for below, above in zip(arguments.strengths, arguments.strengths[1:]):
        command = [arguments.program, "match", "--games", str(arguments.games), "--nodes", str(arguments.nodes)]
        command += ["--balance-nodes", "500", "--concurrency", str(arguments.concurrency)]
        command += ["--engine", engine(arguments.program, above), "--engine", engine(arguments.program, below)]
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        score, elo, error = re.search(r"^score (\S+) elo (\S+) \+/- (\S+)", output, re.MULTILINE).groups()
        games = sum(int(count) for count in score.split("-"))
        print(f"| {above} | {below} | {games} | {score} | {float(elo):.0f} ± {float(error):.0f} |", flush=True)


if __name__ == "__main__":
    main()
