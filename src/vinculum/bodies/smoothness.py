"""Functions of time that cannot be the path of a body: those with corners or jumps, which would need impulses."""

import numpy as np

from vinculum.scalars import Scalar
from vinculum.scalars.graph import nodes
from vinculum.scalars.piecewise import Piecewise
from vinculum.tolerances.functions import PATH_JUMP

ROUGH = {"abs", "sign", "floor", "ceil", "fmod", "min", "max", "copysign"}
"""Operations whose results have corners or steps."""


def corners(outputs: np.ndarray) -> list[str]:
    """The operations and tables with corners or jumps in a graph.

    What a table is asked at may jump if the table repeats; `vc.math.where` is the user's to join smooth pieces with.
    """
    found = []
    for node in _outside_tables(outputs):
        if node.op in ROUGH:
            found.append(node.op)
        elif node.op == "table":
            pieces, argument = node.args
            repeats = any(inner.op == "floor" for inner in nodes([argument]))
            others = sorted({inner.op for inner in nodes([argument]) if inner.op in ROUGH - {"floor"}})
            found += [f"table '{pieces.name}'"] * _has_corners(pieces, repeats) + others
    return sorted(set(found))


def _outside_tables(outputs: np.ndarray) -> list[Scalar]:
    """Nodes that the outputs need, without those inside the arguments of tables."""
    seen: dict[int, Scalar] = {}
    stack = [x for x in np.ravel(outputs) if isinstance(x, Scalar)]
    while stack:
        node = stack.pop()
        if id(node) not in seen:
            seen[id(node)] = node
            if node.op not in ("table", "symbol", "parameter"):
                stack += [a for a in node.args if isinstance(a, Scalar)]
    return list(seen.values())


def _has_corners(pieces: Piecewise, repeats: bool) -> bool:
    """Whether values or derivatives of neighbouring polynomials differ where they meet."""
    for part in (pieces, pieces.derivative):
        size = max(float(np.abs(part.coefficients).max(initial=0.0)), np.finfo(float).tiny)
        left, right = (
            np.array([np.polyval(part.coefficients[k + side, ::-1], b - part.origins[k + side])
                      for k, b in enumerate(part.breaks)])
            for side in (0, 1)
        )  # fmt: skip
        if np.any(np.abs(left - right) > PATH_JUMP * size):
            return True
        if repeats and np.isfinite(part.low) and np.isfinite(part.high):
            begin, end = (
                np.polyval(part.coefficients[k, ::-1], x - part.origins[k]) for k, x in ((0, part.low), (-1, part.high))
            )
            if abs(begin - end) > PATH_JUMP * size:
                return True
    return False
