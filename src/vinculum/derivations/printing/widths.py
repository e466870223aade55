"""How wide a formula in MathML is, about, in widths of its font: enough to break it over lines and to fit it on a page."""

import xml.etree.ElementTree as ElementTree

PRINTED_LINE = 44.0
"""Ems of a printed line of equations: 180 mm less the indent of 32 px, in letters of 10.5 pt (14 px), are 46; the rest
is for the space after a piece."""
LETTER, SCRIPT, INFIX, FENCE = 0.66, 0.78, 1.45, 0.5
"""Ems of a letter or digit, and of other signs, in a wide font (DejaVu Math); in others formulas are narrower."""
ROOT = 0.9
CELL_GAP = 0.8
FENCES = frozenset("()[]{}|⌊⌋⌈⌉⟨⟩")
UNSEEN = frozenset("\u2061\u2062")
"""Application of a function and multiplication."""


def formula_width(markup: str) -> float:
    """The width [em] of one or several elements side by side."""
    return _width(ElementTree.fromstring(f"<mrow>{markup}</mrow>"))


def _width(one: ElementTree.Element) -> float:
    parts = [_width(child) for child in one]
    text = (one.text or "").strip()
    if one.tag == "mo":
        return 0.0 if text in UNSEEN else FENCE * len(text) if not text or text in FENCES else INFIX
    if one.tag in ("mi", "mn", "mtext"):
        return LETTER * len(text)
    if one.tag == "mspace":
        return float(one.get("width", "0").removesuffix("em"))
    if one.tag in ("mfrac", "mover"):
        return max(parts, default=0.0) + 0.2
    if one.tag in ("msub", "msup"):
        return parts[0] + SCRIPT * sum(parts[1:])
    if one.tag == "msubsup":
        return parts[0] + SCRIPT * max(parts[1:])
    if one.tag in ("msqrt", "mroot"):
        return parts[0] + ROOT
    if one.tag == "mtable":
        rows = [[_width(cell) for cell in row] for row in one]
        columns = max(map(len, rows), default=0)
        return sum(max((row[k] for row in rows if k < len(row)), default=0.0) + CELL_GAP for k in range(columns))
    return sum(parts)
