"""Shared test helpers."""

import random
from collections.abc import Iterator

import chuhe


def random_boards(seed: int, count: int, plies: int = 120) -> Iterator[chuhe.Board]:
    """Boards from random games, a few from each; the caller may modify them."""
    chance = random.Random(seed)
    found = 0
    while found < count:
        board = chuhe.Board()
        for _ in range(plies):
            moves = board.legal_moves()
            if not moves:
                break
            board.push(chance.choice(moves))
            if chance.random() < 0.2:
                yield board.copy()
                found += 1
                if found == count:
                    return
