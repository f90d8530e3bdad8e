#!/usr/bin/env python3
"""Counts the mate puzzles that an engine solves within a budget, on one thread.

    mate_puzzles.py ENGINE TSV... [--nodes N | --movetime MS] [--every K]

TSV: a header line, then FEN and moves to mate in the first two columns. A puzzle is solved when the engine announces a mate for
the side to move; "as fast" counts those with the stated number of moves or fewer. Prints one line per file and the unsolved puzzles.
"""

import argparse
import subprocess


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine")
    parser.add_argument("tsv", nargs="+")
    parser.add_argument("--nodes", type=int)
    parser.add_argument("--movetime", type=int)
    parser.add_argument("--every", type=int, default=1, help="only every K-th puzzle")
    arguments = parser.parse_args()
    limit = f"nodes {arguments.nodes}" if arguments.nodes else f"movetime {arguments.movetime or 1000}"
    engine = subprocess.Popen([arguments.engine], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def send(text):
        engine.stdin.write(text + "\n")
        engine.stdin.flush()

    send("uci\nsetoption name Threads value 1\nsetoption name Hash value 64\nisready")
    for path in arguments.tsv:
        rows = [line.split("\t") for line in open(path)][1 :: arguments.every]
        solved, as_fast, unsolved, nodes = 0, 0, [], 0
        for fen, distance, *_ in rows:
            send(f"ucinewgame\nposition fen {fen} - - 0 1\ngo {limit}")
            best, spent = None, 0
            for line in engine.stdout:
                words = line.split()
                if "nodes" in words[:-1]:
                    spent = int(words[words.index("nodes") + 1])
                if "mate" in words[:-1] and words[0] == "info":
                    moves = int(words[words.index("mate") + 1])
                    if moves > 0 and (best is None or moves < best):
                        best = moves
                        if best <= int(distance):
                            send("stop")
                if words and words[0] == "bestmove":
                    break
            nodes += spent
            solved += best is not None
            as_fast += best is not None and best <= int(distance)
            if best is None:
                unsolved.append(fen)
        share = 100 * solved / len(rows)
        name = path.rsplit("/", 1)[-1]
        print(f"{name}: {limit}: solved {solved} of {len(rows)} ({share:.1f} %), as fast {as_fast}, nodes {nodes}", flush=True)
        for fen in unsolved:
            print(f"  {fen}")
    send("quit")


if __name__ == "__main__":
    main()
