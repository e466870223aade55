"""Measures whose values are screws."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, final

import numpy as np

from vinculum.errors import ModelError, shorten
from vinculum.measures.measure import Measure
from vinculum.screws import Slider
from vinculum.screws.entries import is_number
from vinculum.tolerances.functions import RESTRICTED_ACCURACY


class _Term(NamedTuple):
    """Screw densities p and q per unit of a measure."""

    measure: Measure
    p: Callable
    q: Callable | None


@final
@dataclass(frozen=True, eq=False)
class ScrewMeasure:
    r"""A measure π whose values are screws: densities p and q per unit of a mass measure, and sums of such.

    .. math:: \pi(A) = \int \chi_A\,l^{p_x, q_x}\,\rho\,d\mu

    Made by `ScrewMeasure.of` and ``+``, ``-`` and multiples. `reduce` is its value on all of space as a `Slider`, reduced at a point;
    `restrict` to a region A and `reduce` gives π(A), which is additive in A. Cheremensky, On Concept of Mechanical System, eq. (2).
    """

    terms: tuple[_Term, ...]

    def __post_init__(self):
        if not isinstance(self.terms, tuple) or not all(isinstance(one, _Term) for one in self.terms):
            raise ModelError(f"screw measure: terms {shorten(self.terms)}; make one with ScrewMeasure.of(measure, p)")

    @classmethod
    def of(cls, measure: Measure, p_of_x: Callable, q_of_x: Callable | None = None) -> "ScrewMeasure":
        """Densities per unit of a measure: functions of a position (3,) that return a force and a couple (3,), or the like."""
        if not isinstance(measure, Measure) or not callable(p_of_x) or not (q_of_x is None or callable(q_of_x)):
            raise ModelError(
                f"screw measure: of {shorten(measure)}, {shorten(p_of_x)} and {shorten(q_of_x)}; give a vc.Measure and functions of a "
                "position"
            )
        return cls((_Term(measure, p_of_x, q_of_x),))

    def reduce(self, at=(0.0, 0.0, 0.0), accuracy: float | None = None, order: int = 8) -> Slider:
        r"""Its value :math:`\{\int p_x\,d\mu,\ \int (q_x + r_{yx} \times p_x)\,d\mu\}` at the point y = ``at``, to an accuracy or an order
        as in `Measure.integrate`."""
        if not self.terms:
            raise ModelError("screw measure: it has no terms; make one with ScrewMeasure.of(measure, p)")
        found = [one.measure.integrate(one.p, one.q, at, order, accuracy) for one in self.terms]
        return Slider(
            found[0].point, np.sum([one.p for one in found], axis=0), np.sum([one.q for one in found], axis=0)
        )

    def restrict(self, region, at=(0.0, 0.0, 0.0), accuracy: float = RESTRICTED_ACCURACY) -> "ScrewMeasure":
        """The screw measure in a region, as `Measure.restrict`."""
        return ScrewMeasure(
            tuple(one._replace(measure=one.measure.restrict(region, at, accuracy)) for one in self.terms)
        )

    def __add__(self, other) -> "ScrewMeasure":
        return ScrewMeasure(self.terms + other.terms) if isinstance(other, ScrewMeasure) else NotImplemented

    def __sub__(self, other) -> "ScrewMeasure":
        return self + -1.0 * other if isinstance(other, ScrewMeasure) else NotImplemented

    def __mul__(self, factor) -> "ScrewMeasure":
        if not is_number(factor):
            raise ModelError(f"screw measure: multiplied by {shorten(factor)}; give a number")
        return ScrewMeasure(tuple(one._replace(measure=factor * one.measure) for one in self.terms))

    __rmul__ = __mul__
