"""Compares the speed of the package with pyffish and with pure Rust: ``python speed.py``."""

import sys
import time
from collections.abc import Callable

import chuhe
from chuhe._chuhe import _evaluations_per_second
from conftest import random_boards


def seconds(work: Callable[[], object], rounds: int = 5) -> float:
    """The shortest time of several rounds."""

    def once() -> float:
        start = time.perf_counter()
        work()
        return time.perf_counter() - start

    return min(once() for _ in range(rounds))


def main() -> int:
    """Prints one line per comparison; returns 1 if one of them is worse than documented."""
    boards = list(random_boards(1, 2000))
    fens = [board.fen() for board in boards]
    fault = 0
    try:
        import pyffish
    except ImportError:
        print("legal moves: pyffish is not installed")
    else:
        own = seconds(lambda: [board.legal_moves() for board in boards]) / len(boards)
        from_fen = seconds(lambda: [chuhe.Board(fen).legal_moves() for fen in fens]) / len(boards)
        theirs = seconds(lambda: [pyffish.legal_moves("xiangqi", fen, []) for fen in fens]) / len(boards)
        print(f"legal moves from FEN: {from_fen * 1e6:.1f} us, pyffish {theirs * 1e6:.1f} us: {theirs / from_fen:.1f} times as fast")
        print(f"legal moves of a board: {own * 1e6:.1f} us: {theirs / own:.1f} times as fast as pyffish from FEN")
        fault |= from_fen > theirs
    for name, positions in (("boards", 20 * boards), ("FENs", 20 * fens)):
        rates, alone = [], []
        # Alternate the two, since the machine may be busy.
        for _ in range(5):
            start = time.perf_counter()
            chuhe.evaluate(positions)
            rates.append(len(positions) / (time.perf_counter() - start))
            alone.append(_evaluations_per_second(positions))
        share = max(rates) / max(alone)
        print(f"evaluate, {name}: {max(rates) / 1e3:.0f} thousand a second, Rust alone {max(alone) / 1e3:.0f} thousand: {share:.0%}")
        fault |= share < 0.5
    return int(fault)


if __name__ == "__main__":
    sys.exit(main())
