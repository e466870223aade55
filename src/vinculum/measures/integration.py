"""Integrals over the parts of a measure: of a fixed order, over floats or symbols, or to an accuracy."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, final

import numpy as np

from vinculum.errors import ModelError, shorten
from vinculum.measures.parts import Part
from vinculum.scalars import value, vector
from vinculum.screws.entries import is_number
from vinculum.tolerances.functions import COARSEST_ACCURACY, FINEST_ACCURACY


@final
class Integral(NamedTuple):
    """An integral over a measure: its ``value``, of the shape that the function returns, and the estimate of its ``error``, of the
    same shape and unit; None where a fixed order was asked for."""

    value: Any
    error: Any


def integrate_parts(parts: Sequence[Part], function: Callable, order: int, accuracy: float | None) -> Integral:
    """∫ f ρ dμ of a function f of one position (3,), an array of any shape; to an accuracy, or exact to the degree ``order``."""
    if accuracy is None:
        total: Any = 0.0
        for part in parts:
            for x, m in zip(*part.nodes(order), strict=True):
                total = total + m * vector(function(x))
        return Integral(total, None)
    check_accuracy("measure", accuracy)
    shape: list[tuple[int, ...]] = []

    def rows(points: np.ndarray) -> np.ndarray:
        found = [np.asarray(value(vector(function(x))), dtype=float) for x in points]
        shape[:] = [found[0].shape] if found else shape
        return np.array([one.ravel() for one in found]).reshape(len(points), -1 if found else 1)

    value_, error = 0.0, 0.0
    for part in parts:
        one, of_one = part.integrate(rows, accuracy)
        value_, error = value_ + one, error + of_one
    return Integral(np.reshape(value_, shape[0])[()], np.reshape(error, shape[0])[()])


def check_accuracy(what: str, accuracy) -> None:
    """Refuse accuracies that double precision does not have, or that are none."""
    if not is_number(accuracy) or not FINEST_ACCURACY <= accuracy <= COARSEST_ACCURACY:
        raise ModelError(
            f"{what}: accuracy {shorten(accuracy)} must be a number from {FINEST_ACCURACY:g} to {COARSEST_ACCURACY:g}: the error relative "
            "to the integral of the absolute value"
        )
