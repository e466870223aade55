"""Smooth cut-offs that give a field compact support."""

from collections.abc import Sequence

import numpy as np

from vinculum.errors import ModelError, shorten
from vinculum.scalars.math import maximum
from vinculum.screws.entries import is_number


def cut_off(x, low: float, high: float):
    r"""A function of x that is one in the middle of an interval and zero outside, three times differentiable.

    .. math:: B(s) = (1 - s^2)^4 \text{ for } |s| < 1,\qquad s = \frac{2x - a - b}{b - a}
    """
    s = (2.0 * x - (low + high)) * (1.0 / (high - low))
    return maximum(1.0 - s * s, 0.0) ** 4


def box_of(where: str, given, coordinates: Sequence[str]) -> list[tuple[float, float] | None]:
    """A pair (low, high) for each coordinate, or None for one along which a field does not end."""
    wanted = (
        f"give a pair (low, high) for each of {', '.join(coordinates)}, or None for one along which it does not end"
    )
    if not isinstance(given, (list, tuple, np.ndarray)) or len(given) != len(coordinates):
        raise ModelError(f"{where}: support is {shorten(given)}; {wanted}")
    found = []
    for name, pair in zip(coordinates, given, strict=True):
        if pair is None:
            found.append(None)
            continue
        ends = list(pair) if isinstance(pair, (list, tuple, np.ndarray)) else []
        if len(ends) != 2 or not all(is_number(x) for x in ends) or not ends[0] < ends[1]:
            raise ModelError(f"{where}: support along '{name}' is {shorten(pair)}; {wanted}")
        found.append((float(ends[0]), float(ends[1])))
    return found


def cut_off_graph(q: np.ndarray, box: Sequence[tuple[float, float] | None]):
    """The product of the cut-offs along all coordinates that have one."""
    product = 1.0
    for x, pair in zip(q, box, strict=True):
        product = product if pair is None else product * cut_off(x, *pair)
    return product
