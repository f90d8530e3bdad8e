"""The ``chuhe`` program: ``chuhe --help`` or ``python -m chuhe --help``."""

import signal
import sys

from ._chuhe import run_program


def main() -> None:
    """Runs the program with the arguments of this process and ends it."""
    # Ctrl-C ends the program, or whatever it makes of it: Python's own handler would wait for the end.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    run_program(["chuhe", *sys.argv[1:]])


if __name__ == "__main__":
    main()
