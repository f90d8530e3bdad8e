"""Analyses, matches and self-play on many machines, over Ray: ``python -m chuhe.cluster --help``.

Every kind of work is cut into pieces, which any machine can do and which give the same wherever they are done. A finished piece is a file
in the folder of the run, under its name only when it is whole. So a machine that dies costs the piece it had in work, which
another does again, and a run that was stopped in any way goes on with the pieces that are missing. Results are put together in
the order of the pieces.
"""
