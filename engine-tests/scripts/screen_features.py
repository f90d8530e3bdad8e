#!/usr/bin/env python3
"""Tests many on/off changes of the search in one run of games: a factorial experiment.

    engine-tests/scripts/screen_features.py CHUHE RESULTS --factor NAME=OFF:ON ... [--blocks N] [--pairs N] [--seed N] [-- MATCH ARGUMENTS]
    engine-tests/scripts/screen_features.py RESULTS

CHUHE must be built with the feature `tuning`. In each block one side has a random half of the factors on, the other side the rest:
every game is evidence about every factor, so the effects of twenty factors can be measured with as many games as the effect of one
(Fisher, The Design of Experiments, 1935). A factor may set several rows: NAME=ROW:OFF:ON+ROW:OFF:ON; without ROW its name is the row.

With a factor for every row, a step below its value as OFF and a step above it as ON, the same run measures the slopes of all rows.

RESULTS is a JSON Lines file: a line with the factors, then one per block with the factors that one side had on, as a hexadecimal number
whose lowest bit is the first factor, and the games won, drawn and lost by that side. The same command resumes after an interruption.
Prints the Elo of every factor, on against off, with its 95 % error, from the blocks so far, and the estimate shrunk towards zero by the
share of the errors in the spread of all estimates (empirical Bayes; Efron and Morris 1975). Files with the same factors may be
concatenated.
"""

import argparse
import json
import math
import os
import random
import subprocess
import sys


def factor(text):
    name, _, rest = text.partition("=")
    settings = []
    for part in rest.split("+"):
        words = part.split(":")
        row, off, on = words if len(words) == 3 else (name, *words)
        settings.append((row, int(off), int(on)))
    return name, settings


def play(program, factors, signs, pairs, seed, arguments):
    """Won, drawn and lost games of the side that has the factors of `signs` on."""
    def engine(name, is_upper):
        options = [
            f"option.{row}={on if (sign == 1) == is_upper else off}"
            for (_, settings), sign in zip(factors, signs)
            for row, off, on in settings
        ]
        return ",".join([f"cmd={program}", f"name={name}", *options])

    # A seed is only for random openings. Without the other option every block would be played from the first openings of the file.
    is_list = any(argument.split("=")[0] == "--openings" for argument in arguments)
    openings = ["--first-opening", str(1 + seed * pairs)] if is_list else ["--seed", str(seed)]
    command = [program, "match", "--engine", engine("upper", True), "--engine", engine("lower", False),
               "--games", str(2 * pairs), *openings, *arguments]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{program} match: {result.stderr.strip()}")
    line = [line for line in result.stdout.splitlines() if line.startswith("score ")][-1]
    return [int(number) for number in line.split()[1].split("-")]


def read(path):
    """The factors of a file, as given on the command line, and its blocks: the signs of the factors, and the games."""
    factors, blocks = None, []
    with open(path, encoding="utf-8") as file:
        for number, text in enumerate(file, 1):
            # A last line without a line end was cut off by an interruption.
            if not text.endswith("\n"):
                break
            line = json.loads(text)
            if "factors" not in line:
                on = int(line["on"], 16)
                blocks.append(([1 if on >> index & 1 else -1 for index in range(len(factors))], line["games"]))
            elif factors not in (None, line["factors"]):
                sys.exit(f"{path}: line {number}: other factors than before, expected a file of its own for them")
            else:
                factors = line["factors"]
    return factors, blocks


def report(path):
    factors, blocks = read(path)
    if not blocks:
        sys.exit(f"{path}: no block was played yet")
    games = sum(sum(games) for _, games in blocks)
    print(f"blocks {len(blocks)} games {games}")
    rows = []
    for index, name in enumerate(factors):
        # The mean points of a block, from the view of the side that has this factor on.
        points = [(games[0] - games[2]) / (2 * sum(games)) * signs[index] for signs, games in blocks]
        mean = sum(points) / len(points)
        variance = sum((value - mean) ** 2 for value in points) / max(1, len(points) - 1)
        elo = 1600 / math.log(10) * mean
        error = 1600 / math.log(10) * 1.96 * math.sqrt(variance / len(points))
        rows.append((elo, error, name))
    spread = max(0, sum(elo**2 - (error / 1.96) ** 2 for elo, error, _ in rows) / len(rows))
    for elo, error, name in sorted(rows, reverse=True):
        shrunk = elo * spread / max(1e-9, spread + (error / 1.96) ** 2)
        print(f"{name:40} {elo:+6.1f} +/- {error:.1f} shrunk {shrunk:+5.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="CHUHE, or RESULTS alone to print what they say")
    parser.add_argument("results", nargs="?")
    parser.add_argument("--factor", action="append", default=[])
    parser.add_argument("--blocks", type=int, default=500)
    parser.add_argument("--pairs", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    arguments = sys.argv[1:]
    rest = []
    if "--" in arguments:
        at = arguments.index("--")
        arguments, rest = arguments[:at], arguments[at + 1:]
    options = parser.parse_args(arguments)
    if options.results is None:
        return report(options.program)
    factors = [factor(text) for text in options.factor]
    head = (json.dumps({"factors": options.factor}) + "\n").encode()
    content = b""
    if os.path.exists(options.results):
        with open(options.results, "rb") as file:
            content = file.read()
    whole, blocks = 0, []
    # Otherwise it is new, or an interruption has cut off its first line.
    if not head.startswith(content):
        known, blocks = read(options.results)
        if known != options.factor:
            sys.exit(f"{options.results}: was begun with other factors, expected the same")
        whole = content.rfind(b"\n") + 1
    with open(options.results, "ab") as file:
        file.truncate(whole)
        file.write(b"" if whole else head)
    done = len(blocks)
    for block in range(done, options.blocks):
        seed = options.seed * 1_000_003 + block
        draw = random.Random(seed)
        signs = [draw.choice((-1, 1)) for _ in factors]
        games = play(options.program, factors, signs, options.pairs, seed, rest)
        with open(options.results, "a", encoding="utf-8") as file:
            on = sum(1 << index for index, sign in enumerate(signs) if sign == 1)
            file.write(json.dumps({"on": f"{on:x}", "games": games}) + "\n")
    report(options.results)


if __name__ == "__main__":
    main()
