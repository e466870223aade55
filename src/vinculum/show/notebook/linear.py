"""Linear equations in LaTeX."""

from vinculum.derivations.linearization.linearization import Linearization
from vinculum.tolerances.functions import ZERO_ENTRY


def state_equation(linear: Linearization) -> str:
    r"""ẋ = A x with the names of the states and the numbers of A.

    Entries that are zero to round-off, relative to the largest, are written as zero.
    """
    names = r" \\ ".join(rf"\text{{{_text(name)}}}" for name in linear.states.names)
    size = max(1.0, float(abs(linear.A).max(initial=0.0)))
    rows = r" \\ ".join(" & ".join(_number(x, size) for x in row) for row in linear.A.tolist())
    column = rf"\begin{{bmatrix}} {names} \end{{bmatrix}}"
    return rf"\frac{{d}}{{d t}} {column} = \begin{{bmatrix}} {rows} \end{{bmatrix}} {column}"


def _text(name: str) -> str:
    """A name as text in LaTeX."""
    return "".join(f"\\{sign}" if sign in "_#$%&{}" else " " if sign in "\\^~" else sign for sign in name)


def _number(x: float, size: float) -> str:
    if abs(x) <= ZERO_ENTRY * size:
        return "0"
    mantissa, _, exponent = f"{x:.4g}".partition("e")
    return rf"{mantissa} \cdot 10^{{{int(exponent)}}}" if exponent else mantissa
