"""How fast the package is beside pyffish and beside Rust: ``python speed.py``."""

import time
from collections.abc import Callable

import chuhe
from chuhe._chuhe import _evaluations_per_second
from conftest import random_boards


def seconds(work: Callable[[], object], rounds: int = 5) -> float:
    """The shortest time of a few."""

    def once() -> float:
        start = time.perf_counter()
        work()
        return time.perf_counter() - start

    return min(once() for _ in range(rounds))


def main() -> None:
    """Prints a line a comparison."""
    boards = list(random_boards(1, 2000))
    fens = [board.fen() for board in boards]
    own = seconds(lambda: [board.legal_moves() for board in boards]) / len(boards)
    from_fen = seconds(lambda: [chuhe.Board(fen).legal_moves() for fen in fens]) / len(boards)
    try:
        import pyffish
    except ImportError:
        print("legal moves: pyffish is not installed")
    else:
        theirs = seconds(lambda: [pyffish.legal_moves("xiangqi", fen, []) for fen in fens]) / len(boards)
        print(
            f"legal moves of a position: {own * 1e6:.1f} us, from FEN {from_fen * 1e6:.1f} us; pyffish from FEN {theirs * 1e6:.1f} us,"
            f" {theirs / from_fen:.1f} times as long ({theirs / own:.1f} times that of a board)"
        )
    many = 20 * boards
    texts = 20 * fens
    for name, positions in (("boards", many), ("FENs", texts)):
        time_each = seconds(lambda positions=positions: chuhe.evaluate(positions)) / len(positions)  # type: ignore[misc]
        print(f"evaluate, {name}: {1e-3 / time_each:.0f} thousand positions a second; Rust alone {rust(positions):.0f} thousand")


def rust(positions: list[chuhe.Board] | list[str]) -> float:
    """Thousand evaluations a second of a loop in Rust over the same positions, reading FENs where they are given."""
    return _evaluations_per_second(positions) / 1e3


if __name__ == "__main__":
    main()
