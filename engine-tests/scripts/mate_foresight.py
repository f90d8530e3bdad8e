#!/usr/bin/env python3
"""Measures how many plies before the fall of the loser's score the winner announced its mate, for every lost game.

    engine-tests/scripts/mate_foresight.py GAMES.pgn NAME [--last N]

GAMES.pgn is a file of `chuhe match --pgn`. Prints the counts of the games that NAME lost, and of those that it won: the plies from the
winner's first announced mate to the loser's first score below -10.00, negative if the loser's score fell first.
"""

import argparse
import re
import statistics


def scores(text):
    """The scores of a game by ply, in pawns; a mate in N moves is 1000 - N."""
    for score in re.findall(r"\{([+-](?:M\d+|[\d.]+))/\d+", text):
        sign = -1 if score[0] == "-" else 1
        yield sign * (1000 - int(score[2:]) if score[1] == "M" else float(score[1:]))


def first(values, wanted):
    return next((ply for ply, value in values if wanted(value)), None)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games")
    parser.add_argument("name")
    parser.add_argument("--last", type=int, default=200, help="only this many of the last lost and won games")
    arguments = parser.parse_args()
    plies = {"lost": [], "won": []}
    unseen = {"lost": 0, "won": 0}
    for game in re.split(r"(?=^\[Game )", open(arguments.games, encoding="utf-8").read(), flags=re.MULTILINE):
        tags = dict(re.findall(r'^\[(\w+) "(.*)"\]', game, re.MULTILINE))
        result = tags.get("Result")
        if result not in ("1-0", "0-1") or arguments.name not in (tags.get("Red"), tags.get("Black")):
            continue
        winner = tags["Red"] if result == "1-0" else tags["Black"]
        kind = "won" if winner == arguments.name else "lost"
        announced_scores = list(enumerate(scores(re.sub(r"\s+", " ", game))))
        # The first move with a score belongs to the side to move after the opening.
        red_begins = " w " in tags.get("FEN", " w ")
        is_winner = lambda ply: ((ply % 2 == 0) == red_begins) == (result == "1-0")
        announced = first(((ply, value) for ply, value in announced_scores if is_winner(ply)), lambda value: value > 500)
        fell = first(((ply, value) for ply, value in announced_scores if not is_winner(ply)), lambda value: value < -10)
        if announced is None or fell is None:
            unseen[kind] += 1
        else:
            plies[kind].append(fell - announced)
    for kind, counts in plies.items():
        counts = counts[-arguments.last :]
        middle = f"median {statistics.median(counts):+g}" if counts else "none"
        late = sum(count > 0 for count in counts)
        print(f"{kind}: {len(counts)} games, {middle}; the mate was announced first in {late}; without both {unseen[kind]}")


if __name__ == "__main__":
    main()
