"""Integrals over measures: of any function, moments, and kinetic energy."""

from collections.abc import Callable
from typing import Any, NamedTuple, final

import numpy as np

from vinculum.errors import ModelError, shorten
from vinculum.measures.integration import Integral, integrate_parts
from vinculum.measures.measure import Measure
from vinculum.scalars import math, vector
from vinculum.screws.entries import of_shape

DEFAULT_ORDER = 8


@final
class Moments(NamedTuple):
    """Moments of a measure about the origin: ``mass`` [kg], ``first`` ∫ρ r dμ (3,) [kg m], ``second`` ∫ρ r rᵀ dμ (3, 3) [kg m²], and
    ``error``: estimates of the errors of the mass, the first moment and the second moment, one after the other (13,); None in closed
    form."""

    mass: Any
    first: Any
    second: Any
    error: Any


def integral(measure: Measure, f_of_x: Callable, accuracy: float | None = None, order: int = DEFAULT_ORDER) -> Integral:
    r"""The integral :math:`\int f\,\rho\,d\mu` of a function of positions, with an estimate of its error.

    ``f_of_x``: of one position (3,), returns a number or an array of any shape. With ``accuracy`` every component is integrated
    adaptively until the estimate of its error is below it, relative to the integral of its absolute value; without it by a rule exact
    to the degree ``order`` of f times the density, which also takes symbols, and without an estimate. Mass, moments, Θ, kinetic energy
    and momentum of a measure are such integrals. Cheremensky, On Concept of Mechanical System, eq. (2), (10), (11).
    """
    _check(measure)
    return integrate_parts(measure.parts, f_of_x, order, accuracy)


def moments(measure: Measure, accuracy: float | None = None) -> Moments:
    """The moments of a measure about the origin: in closed form where there is one, or with ``accuracy`` as integrals with estimates."""
    _check(measure)
    if accuracy is None:
        mass, first = measure.mass, measure.Theta[3:, :3]
        S = measure.inertia
        half: Any = 0.5 * (S[0, 0] + S[1, 1] + S[2, 2])
        return Moments(mass, vector([first[2, 1], first[0, 2], first[1, 0]]), half * np.eye(3) - S, None)

    def powers(x) -> np.ndarray:
        return np.concatenate([[1.0], x, np.outer(x, x).ravel()])

    found, error = integrate_parts(measure.parts, powers, 2, accuracy)
    return Moments(found[0], found[1:4], found[4:].reshape(3, 3), error)


def kinetic_energy(measure: Measure, V, accuracy: float | None = None) -> Any:
    r"""Kinetic energy [J] of a body that moves with the twist V at the origin of its frame.

    .. math:: \mathcal K = \int \tfrac12\,\rho\,v_x \cdot v_x\,d\mu, \qquad v_x = v + \omega \times r

    ``V``: (6,) [m/s, rad/s]; one integral, equal to :math:`\tfrac12 V^T \Theta V`. Cheremensky, eq. (11).
    """
    _check(measure)
    V = of_shape("kinetic energy: V", V, (6,))

    def density(x) -> Any:
        v = V[:3] + math.cross(V[3:], x)
        return 0.5 * math.dot(v, v)

    return integrate_parts(measure.parts, density, 2, accuracy).value


def _check(measure) -> None:
    if not isinstance(measure, Measure):
        raise ModelError(
            f"integral: {shorten(measure)} is not a measure; make one with vc.Measure.solid, .mesh, .atoms or the like"
        )
