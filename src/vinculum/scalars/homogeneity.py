"""Homogeneity of a graph in some of its symbols, read from its operations."""

from collections.abc import Iterable
from fractions import Fraction

from vinculum.scalars.graph import LEAVES, nodes
from vinculum.scalars.scalar import Scalar, Value
from vinculum.tolerances.sizes import SMALL_DENOMINATOR

SAME = frozenset({"neg", "abs", "copysign"})
ALIKE = frozenset({"add", "sub", "min", "max", "hypot"})


def degree(output: Value, symbols: Iterable[Scalar]) -> Fraction | None:
    r"""The degree k with which a graph is homogeneous in the symbols, wherever their factor is positive; None where none is seen.

    .. math:: f(x, s\,v) = s^k f(x, v),\quad s > 0

    Every operation has a rule, so a degree that is found is a proof. Sums of terms whose degrees differ and cancel are not seen through.
    """
    own = {id(x) for x in symbols}
    degrees: dict[int, Fraction | None] = {}

    def of(x) -> Fraction | None:
        return degrees[id(x)] if isinstance(x, Scalar) else Fraction(0)

    for node in nodes([output]):
        if node.op in LEAVES:
            degrees[id(node)] = Fraction(int(id(node) in own))
        else:
            degrees[id(node)] = _degree_of_operation(node, [of(x) for x in node.args])
    return of(output)


def _degree_of_operation(node: Scalar, parts: list) -> Fraction | None:
    """The degree of an operation on parts of these degrees."""
    if any(part is None for part in parts):
        return None
    if node.op == "mul":
        return parts[0] + parts[1]
    if node.op == "div":
        return parts[0] - parts[1]
    if node.op in SAME:
        return parts[0]
    if node.op == "sqrt":
        return parts[0] / 2
    if node.op in ALIKE:
        return parts[0] if parts[0] == parts[1] else None
    if node.op == "where":
        return parts[1] if parts[0] == 0 and parts[1] == parts[2] else None
    if node.op == "pow" and isinstance(node.args[1], float):
        return parts[0] * Fraction(node.args[1]).limit_denominator(SMALL_DENOMINATOR)
    return Fraction(0) if not any(parts) else None
