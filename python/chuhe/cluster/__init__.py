"""Analyses, matches and self-play on many machines, over Ray: ``python -m chuhe.cluster --help``.

All work is divided into pieces whose results do not depend on the machine. The result of a piece is a file in the folder of the run, which
gets its final name only when it is complete. If a machine fails, another one repeats the pieces it was working on; an interrupted run
resumes with the missing pieces. Results are combined in the order of the pieces.
"""
