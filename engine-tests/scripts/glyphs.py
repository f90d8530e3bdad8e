#!/usr/bin/env python3
"""Writes the outlines of the characters used in diagrams, one per line: character, width, path. Units: 500 per em, y downwards, origin on the
baseline at the left.

    glyphs.py CHARACTERS.ttf LETTERS.ttf[:NUMBER IN COLLECTION] > src/report/glyphs.txt

Requires fontTools (PyPI). The fonts and their licence are named in src/report/GLYPHS.md.
"""

import sys

from fontTools.misc.transform import Transform
from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

CHARACTERS = "帥將仕士相象馬車炮砲兵卒帅将马车楚河漢界一二三四五六七八九"
LETTERS = "KAERHCPabcdefghi0123456789"
EM = 500


def outlines(path, signs):
    path, _, number = path.partition(":")
    font = TTFont(path, fontNumber=int(number or 0))
    glyphs, names = font.getGlyphSet(), font.getBestCmap()
    scale = EM / font["head"].unitsPerEm
    for sign in signs:
        glyph = glyphs[names[ord(sign)]]
        pen = SVGPathPen(glyphs, ntos=lambda value: str(round(value)))
        glyph.draw(TransformPen(pen, Transform(scale, 0, 0, -scale, 0, 0)))
        print(sign, round(glyph.width * scale), pen.getCommands())


outlines(sys.argv[1], CHARACTERS)
outlines(sys.argv[2], LETTERS)
