"""Lengths and speeds of a system in one unit: rotations and deformations count by the arms at which they move contacts."""

from typing import final

import numpy as np

from vinculum.models.layout import Layout
from vinculum.tolerances.event_driven import FALL, FORCED_SIZE, LEAST_SYSTEM_SIZE, LEAST_SYSTEM_SPEED


def is_displacement(layout: Layout) -> np.ndarray:
    """Which velocities (nv,) are displacements in time; others are rates of rotations and deformations."""
    return np.array([unit == "m/s" for unit in layout.v_units], dtype=bool)


def arms_of(layout: Layout, jacobians: np.ndarray) -> np.ndarray:
    """Displacements (nv,) of contacts per unit of each velocity: one for displacements, the largest arm [m] in Jacobians (…, nv)
    otherwise."""
    every = np.abs(np.where(np.isfinite(jacobians), jacobians, 0.0)).reshape(-1, len(layout.v_units))
    return np.where(is_displacement(layout), 1.0, every.max(axis=0, initial=0.0))


def weights_of(layout: Layout, size: float) -> np.ndarray:
    """Factors (nq,) that make lengths of all coordinates: one for lengths, the ``size`` of the system for others; zero for masses."""
    weights = np.array([1.0 if unit == "m" else size for unit in layout.q_units])
    weights[list(layout.masses.values())] = 0.0
    return weights


def size_of(layout: Layout, q: np.ndarray, jacobians: np.ndarray) -> float:
    """The size of a system [m]: its largest coordinate that is a length, in positions (…, nq), or its largest arm."""
    lengths = np.array([unit == "m" for unit in layout.q_units], dtype=bool)
    arms = arms_of(layout, jacobians)[~is_displacement(layout)]
    return max(float(np.abs(q[..., lengths]).max(initial=0.0)), float(arms.max(initial=0.0)))


@final
class Scales:
    """The size [m] and speed [m/s] of a system along a run: the largest so far, and at least a millionth of what forces do in its
    ``duration`` [s]."""

    def __init__(self, layout: Layout, duration: float):
        self._layout, self._forced, self._ways = layout, FORCED_SIZE * duration**2, is_displacement(layout)
        self._size = self._speed = 0.0

    def include(self, state: np.ndarray, rates: np.ndarray, jacobians: np.ndarray) -> tuple[float, float]:
        """Size and speed with a further state, its accelerations (nv,), and Jacobians (…, nv) of its contacts. What is not finite, as in a
        trial that no motion takes, leaves them as they are."""
        nq = len(self._layout.q_units)
        pull = self._at_contacts(rates, jacobians)
        self._size = _larger(self._size, size_of(self._layout, state[:nq], jacobians), self._forced * pull)
        falling = float(np.sqrt(pull * (self._size or LEAST_SYSTEM_SIZE)))
        self._speed = _larger(self._speed, self._at_contacts(state[nq:], jacobians), FALL * falling)
        return self._size or LEAST_SYSTEM_SIZE, self._speed or LEAST_SYSTEM_SPEED

    def _at_contacts(self, v: np.ndarray, jacobians: np.ndarray) -> float:
        """The largest speed that contacts could have with velocities as large as those in ``v`` (nv,), of displacements and of others.

        Steps know all velocities of one unit equally well, and errors of many of them add up at the end of a chain."""
        reach, ways = np.abs(np.where(np.isfinite(jacobians), jacobians, 0.0)), self._ways
        own, turning = (float(np.abs(v[some]).max(initial=0.0)) for some in (ways, ~ways))
        terms = own * reach[:, ways].sum(axis=1) + turning * reach[:, ~ways].sum(axis=1)
        return max(own, float(terms.max(initial=0.0)))


def _larger(scale: float, *others: float) -> float:
    """The largest of a scale and of others that are finite."""
    return max([scale, *(float(one) for one in others if np.isfinite(one))])
