"""The value of a formula in MathML, read from its elements: the other route to what `latex_values` reads from LaTeX."""

import math
import xml.etree.ElementTree as ElementTree

FUNCTIONS = {"sin": math.sin, "cos": math.cos, "tan": math.tan, "exp": math.exp}
TIMES, APPLY = "\u2062", "\u2061"


def plain(element) -> str:
    """The letters of an element with its scripts and dots, as one name."""
    return "".join(element.itertext())


def name(element) -> str:
    """The name that an element is: its letters, with the subscript apart."""
    element = element[0] if element.tag == "math" and len(element) == 1 else element
    return _below(*element) if element.tag == "msub" else plain(element)


def _below(base, subscript) -> str:
    return f"{plain(base)}_{plain(subscript)}"


def mathml_value(text: str, values: dict[str, float]) -> float:
    """The value of ``<math>`` elements one after the other, as one formula."""
    root = ElementTree.fromstring(f"<mrow>{text}</mrow>")
    return _sum(_flat(root), values)


def _flat(row) -> list:
    """The pieces of a row; rows without brackets are part of the row around them."""
    found = []
    for child in row:
        fenced = len(child) and child[0].tag == "mo" and child[0].text in ("(", "|", "[")
        found += [child] if child.tag not in ("math", "mrow") or fenced else _flat(child)
    return found


def _sum(pieces, values) -> float:
    total, sign, product = 0.0, 1.0, []
    for piece in [*pieces, None]:
        operator = None if piece is None else piece.text if piece.tag == "mo" else ""
        if operator in ("+", "−", None):
            total += sign * _product(product, values) if product else 0.0
            sign, product = -1.0 if operator == "−" else 1.0, []
        else:
            product.append(piece)
    return total


def _product(pieces, values) -> float:
    result, function = 1.0, None
    for piece in pieces:
        if piece.tag == "mspace":
            continue
        if piece.tag == "mo":
            assert piece.text in (TIMES, APPLY, "⋅"), piece.text
            continue
        base = piece[0] if piece.tag == "msup" else piece
        if base.tag == "mi" and base.text in FUNCTIONS:
            power = _one(piece[1], values) if piece.tag == "msup" else 1.0
            function = lambda x, f=FUNCTIONS[base.text], n=power: f(x) ** n
            continue
        value = _one(piece, values)
        result *= value if function is None else function(value)
        function = None
    assert function is None
    return result


def _one(piece, values) -> float:
    if piece.tag == "mn":
        return float(piece.text)
    if piece.tag != "msup" and name(piece) in values:
        return values[name(piece)]
    children = list(piece)
    if piece.tag == "mfrac":
        return _one(children[0], values) / _one(children[1], values)
    if piece.tag == "msqrt":
        return math.sqrt(_sum(_flat(piece), values))
    if piece.tag == "msup":
        return _one(children[0], values) ** _one(children[1], values)
    if piece.tag == "msubsup":
        return values[_below(*children[:2])] ** _one(children[2], values)
    if piece.tag == "mrow":
        if children[0].tag == "mo" and children[0].text == "(":
            assert children[-1].text == ")"
            children = children[1:-1]
        row = ElementTree.Element("mrow")
        row.extend(children)
        return _sum(_flat(row), values)
    raise AssertionError(f"nothing is known of <{piece.tag}> {plain(piece)!r}")
