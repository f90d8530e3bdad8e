"""An engine that misbehaves: ``python puppet.py MANNER``."""

import os
import sys
import time


def say(line: str) -> None:
    """Prints a line and flushes the output."""
    print(line, flush=True)


def main(manner: str) -> None:
    """Serves until ``quit``, and reacts to ``go`` according to ``manner``."""
    for line in sys.stdin:
        word = line.split()[0]
        if word in ("uci", "ucci"):
            if manner == "dumb":
                say(f"what is {word}?")
                time.sleep(60)
            say(f"id name puppet {manner}")
            say("option name Move Overhead type spin default 10 min 0 max 5000")
            say("option name Style type combo default Solid var Solid var Very Wild")
            say("option name Clear Hash type button")
            say(f"{word}ok")
        elif word == "isready" and manner != "league":
            say("readyok")
        elif word == "setoption":
            say(f"info string {line.strip()}")
        elif word == "quit":
            return
        elif word == "go":
            say(f"info string {line.strip()}")
            if manner == "crash":
                print("out of memory", file=sys.stderr, flush=True)
                os._exit(7)
            if manner == "illegal":
                say("bestmove a0a9")
            if manner == "ucci":
                say("info depth 4 score 9997 pv h2e2 h9g7 a0a9")
                say("bestmove h2e2 ponder h9g7 draw")
            if manner == "league":
                say("bestmove h2e2")
            if manner == "resign":
                say("bestmove h2e2 resign")
            while manner == "flood":
                say("info string still thinking")
            if manner == "bounds":
                say("info depth 4 score cp 31 wdl 200 700 100 nodes 90 pv h2e2 h9g7")
                say("info depth 5 score cp 99 lowerbound nodes 95 pv b2e2")
                say("info depth x score cp")
                say("bestmove h2e2")
        elif word == "stop" and manner == "patient":
            say("bestmove h2e2")


main(sys.argv[1])
