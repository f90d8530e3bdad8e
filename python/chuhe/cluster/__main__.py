"""``python -m chuhe.cluster analyze|match|selfplay``."""

from __future__ import annotations

import argparse
import sys

from . import analyze, match, selfplay
from .pieces import PieceError, PieceKilled

COMMANDS = {"analyze": analyze, "match": match, "selfplay": selfplay}


def main() -> None:
    """Parses the arguments and runs a command."""
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
        command.add_argument("--address", help="the cluster: 'auto', HOST:PORT, or 'local' for a cluster on this machine (default: run without Ray)")
        command.add_argument("--run", required=True, metavar="FOLDER", help="folder of the run; an existing run is resumed")
        module.arguments(command)
    arguments = parser.parse_args(own)
    try:
        COMMANDS[arguments.command].run(arguments, options)
    except (OSError, PieceError, PieceKilled) as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit("interrupted; the same command resumes the run")


if __name__ == "__main__":
    main()
