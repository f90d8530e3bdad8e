#!/usr/bin/env python3
"""Measures how much the scores of short searches say about the evaluation that they are to teach.

    engine-tests/scripts/measure_labels.py CHUHE [--truth tuning/truth.tsv] [--nodes 5000]

Searches every position of the truth set with an empty table and compares the score of each iteration with the scores of the set's deep
searches, as winning probabilities (scale 400). One line for each depth:

    nodes   mean nodes up to the end of the iteration
    error   mean squared difference from the deep searches, as a multiple of that of the static evaluation
    share   part of the static evaluation's error that the score contains: the coefficient of (score - static) on (deep - static)
    info    share squared, divided by the variance of what is left (the noise), for 1000 nodes: training on twice as many labels with
            the same share is worth the same as half the noise
"""

import argparse
import math
import re
import subprocess
import threading

INFO = re.compile(r"depth (\d+) .*score (cp|mate) (-?\d+)( lowerbound| upperbound)? nodes (\d+)")
EVALUATION = re.compile(r"info string evaluation (-?\d+) centipawns")
MATE = 30000


def chance(score):
    return 1 / (1 + math.exp(-max(-8000, min(8000, score)) / 400))


def searched(program, fens, nodes):
    """For each position its static evaluation and (depth, score, nodes) of the iterations."""
    engine = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def send():
        options = {"batch": "true", "Hash": 2, "Notation": "off", "Use Endgames": "false"}
        engine.stdin.write("uci\n" + "".join(f"setoption name {name} value {value}\n" for name, value in options.items()))
        for fen in fens:
            engine.stdin.write(f"ucinewgame\nposition fen {fen}\neval\ngo nodes {nodes}\n")
        engine.stdin.close()

    threading.Thread(target=send, daemon=True).start()
    static, iterations = None, []
    for line in engine.stdout:
        if line.startswith("info depth"):
            match = INFO.search(line)
            if match and not match[4]:
                score = int(match[3]) if match[2] == "cp" else math.copysign(MATE, int(match[3]))
                iterations.append((int(match[1]), score, int(match[5])))
        elif match := EVALUATION.match(line):
            static = int(match[1])
        elif line.startswith("bestmove"):
            yield static, iterations
            static, iterations = None, []


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine")
    parser.add_argument("--truth", default="tuning/truth.tsv")
    parser.add_argument("--nodes", type=int, default=5000)
    arguments = parser.parse_args()
    with open(arguments.truth) as file:
        rows = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
    deep = [(chance(int(row[3])) + chance(int(row[4]))) / 2 for row in rows]
    found = [(truth, *result) for truth, result in zip(deep, searched(arguments.engine, [row[2] for row in rows], arguments.nodes))]
    found = [(truth, chance(static), iterations) for truth, static, iterations in found if static is not None and iterations]
    missing = [truth - static for truth, static, _ in found]
    square = sum(error**2 for error in missing)
    print(f"{len(found)} positions, error of the static evaluation {1e6 * square / len(found):.0f} millionths")
    print("depth  nodes  error  share   info")
    for depth in range(1, 11):
        # A position whose search ended earlier counts with its last iteration.
        last = [([x for x in iterations if x[0] <= depth] or iterations[:1])[-1] for _, _, iterations in found]
        seen = [chance(score) - static for (_, score, _), (_, static, _) in zip(last, found)]
        nodes = sum(count for _, _, count in last) / len(last)
        error = sum((own - all) ** 2 for own, all in zip(seen, missing)) / square
        share = sum(own * all for own, all in zip(seen, missing)) / square
        noise = sum((own - share * all) ** 2 for own, all in zip(seen, missing)) / square
        print(f"{depth:5} {nodes:6.0f} {error:6.3f} {share:6.3f} {1000 * share**2 / noise / nodes:6.2f}")


main()
