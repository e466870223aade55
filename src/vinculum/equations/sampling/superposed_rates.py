"""Rate of change of a function of bodies under superposed rigid motions, and in time alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.scalars import Scalar, gradient
from vinculum.scalars.math import cross
from vinculum.screws import rotation_gradient


@final
@dataclass(frozen=True, eq=False)
class SuperposedRates:
    """Rates of a function along superposed rigid motions: ``translation`` (3,), ``rotation`` (3,) about the origin, ``time``.

    ``forces``, ``moments``: (n, 3) each, the derivatives ∂Ψ/∂x and x × ∂Ψ/∂x + ψ_R of every body, which they are the sums of.
    """

    translation: np.ndarray
    rotation: np.ndarray
    time: Scalar | float
    forces: np.ndarray
    moments: np.ndarray

    def all(self) -> np.ndarray:
        """The seven rates in one array."""
        return np.array([*self.translation, *self.rotation, self.time], dtype=object)


def superposed_rates(function, places: Sequence[tuple[np.ndarray, np.ndarray]], t: Scalar) -> SuperposedRates:
    r"""The rates of a function Ψ of the ``places`` (x, R) of bodies, which are symbols, along x⁺ = S x + s, R⁺ = S R, t⁺ = t + a.

    .. math:: \sum\frac{\partial\Psi}{\partial x},\qquad \sum\Big(x\times\frac{\partial\Psi}{\partial x} + \psi_R\Big),\qquad
              \frac{\partial\Psi}{\partial t}

    All seven vanish if and only if Ψ is properly invariant under the motions that grow out of rest: O'Reilly and Srinivasa, On
    Potential Energies and Constraints in the Dynamics of Rigid Bodies and Particles, (8)–(10). A body whose R is no array of
    symbols has no attitude.
    """
    entries = [[r for r in R.ravel() if isinstance(r, Scalar)] for _, R in places if R.dtype == object]
    leaves = [x for x, _ in places] + entries + [[t]]
    flat = np.concatenate([np.asarray(part, dtype=object) for part in leaves])
    jacobians = dict(zip(map(id, flat), gradient(function, flat), strict=True))
    forces, moments = [], []
    for x, R in places:
        f = np.array([jacobians[id(k)] for k in x], dtype=object)
        m = cross(x, f)
        if R.dtype == object:
            m = m + rotation_gradient(
                np.array([[jacobians.get(id(r), 0.0) for r in row] for row in R], dtype=object), R
            )
        forces.append(f)
        moments.append(m)
    return SuperposedRates(
        sum(forces, np.zeros(3)), sum(moments, np.zeros(3)), jacobians[id(t)], np.array(forces), np.array(moments)
    )
