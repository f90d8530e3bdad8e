"""``python -m chuhe.cluster analyze|match|selfplay``."""

from __future__ import annotations

import argparse
import sys

from . import analyze, match, selfplay
from .pieces import PieceError, PieceKilled

COMMANDS = {"analyze": analyze, "match": match, "selfplay": selfplay}


def main() -> None:
    """Reads the arguments and runs a command."""
    own, options = sys.argv[1:], []
    if "--" in own:
        at = own.index("--")
        own, options = own[:at], own[at + 1 :]
    parser = argparse.ArgumentParser(prog="python -m chuhe.cluster", description="chuhe on many machines, over Ray")
    commands = parser.add_subparsers(required=True, dest="command")
    for name, module in COMMANDS.items():
        command = commands.add_parser(
            name, description=module.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, help=module.HELP
        )
        command.add_argument("--address", help="the cluster: 'auto', HOST:PORT, or 'local' for one of this machine's own; without it no Ray")
        command.add_argument("--run", required=True, metavar="FOLDER", help="folder of the run; one that exists is continued")
        module.arguments(command)
    arguments = parser.parse_args(own)
    try:
        COMMANDS[arguments.command].run(arguments, options)
    except (OSError, PieceError, PieceKilled) as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit("interrupted; the same command continues")


if __name__ == "__main__":
    main()
