#!/usr/bin/env python3
"""Analyses a list of positions on a Ray cluster, results in the order of the input.

    analyze_ray.py LIST OUT [--address auto] [--chuhe PATH] [--block 100] [-- OPTIONS OF chuhe analyze]

LIST: one FEN a line. OUT: JSON Lines. Without --address a local Ray of all cores is started; `--address auto` joins the
cluster that `ray start` made, on every node of which PATH must be. A block that a lost node had in work is done again by
another. A run goes on behind the whole blocks that OUT holds already.
"""

import argparse
import pathlib
import subprocess
import sys

import ray


@ray.remote(num_cpus=1, max_retries=3)
def analyze(program, options, lines):
    """The answers to some lines, one line each."""
    done = subprocess.run([program, "analyze", "-", *options], input="".join(lines), capture_output=True, text=True)
    # Status 1 tells of lines in error, which are answered like the others.
    if done.returncode not in (0, 1) or done.stdout.count("\n") != len(lines):
        raise RuntimeError(done.stderr.strip())
    return done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("list", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--address")
    parser.add_argument("--chuhe", default="chuhe")
    parser.add_argument("--block", type=int, default=100)
    own, options = sys.argv[1:], []
    if "--" in own:
        at = own.index("--")
        own, options = own[:at], own[at + 1 :]
    arguments = parser.parse_args(own)
    # Empty lines and comments have no answer, so they are left out to keep lines and answers in step.
    lines = [line for line in arguments.list.open() if line.strip() and not line.startswith("#")]
    whole = 0
    if arguments.out.exists():
        known = arguments.out.read_text().splitlines(keepends=True)
        whole = len(known) // arguments.block * arguments.block
        arguments.out.write_text("".join(known[:whole]))
    ray.init(address=arguments.address, log_to_driver=False, include_dashboard=False)
    blocks = [lines[at : at + arguments.block] for at in range(whole, len(lines), arguments.block)]
    waiting = int(2 * ray.cluster_resources().get("CPU", 1))
    futures = []
    with arguments.out.open("a") as out:
        while blocks or futures:
            # Enough blocks to keep all nodes busy while the first is waited for, few enough to hold in memory.
            while blocks and len(futures) < waiting:
                futures.append(analyze.remote(arguments.chuhe, options, blocks.pop(0)))
            out.write(ray.get(futures.pop(0)))
            out.flush()
    print(f"lines {len(lines)} kept {whole} nodes {len(ray.nodes())}")


if __name__ == "__main__":
    main()
