"""The ``chuhe`` program: ``chuhe --help`` or ``python -m chuhe --help``."""

import signal
import sys

from ._chuhe import run_program


def main() -> None:
    """Runs the program with the arguments of this process, and exits with its status."""
    # Let the program handle Ctrl-C: Python's handler would run only after the program returns. As a background job of a script it ignores it.
    if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    run_program(["chuhe", *sys.argv[1:]])


if __name__ == "__main__":
    main()
