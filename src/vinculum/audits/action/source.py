"""What the action of a motion is made of: `ActionGraphs`, and `ActionSource`, which a type of model implements."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, final

import numpy as np

from vinculum.scalars import substitute, symbol

MEASURE, CURVE = "measure", "curve"
"""What a carrier moves: the kinetic measure, or the curve, whose action is then an integral over its own time."""


@final
@dataclass(frozen=True, eq=False)
class ActionGraphs:
    """A Lagrangian over symbols ``t``, ``q`` (nq,) and their rates ``u`` (nq,), and ``curve`` (k,): values that belong to instants of the
    curve and move with it.

    ``kinetic``, ``potential``: its parts T and U, L = T − U; None and None where L is no such difference, and then ``lagrangian`` alone
    counts. ``directions`` N (nq, nv): a virtual velocity w moves coordinates by N w. ``others`` (nq,): forces that L does not have, on
    rates of coordinates; ``reactions`` (nv,): those along virtual velocities, among ``curve``. ``velocities`` (nv,): v of the rates u.
    ``timed``: whether T or U depends on time, or T is no quadratic form of velocities. ``parameters``: values by name.
    """

    where: str
    names: tuple[str, ...]
    t: Any
    q: np.ndarray
    u: np.ndarray
    curve: np.ndarray
    lagrangian: Any
    kinetic: Any
    potential: Any
    others: np.ndarray
    directions: np.ndarray
    reactions: np.ndarray
    velocities: np.ndarray
    timed: bool
    parameters: dict[str, float]

    @property
    def nv(self) -> int:
        return len(self.velocities)

    @cached_property
    def pace(self):
        """u⁰ = dt/ds, the rate of the time along a carried curve; one before it is carried."""
        return symbol("pace")

    @property
    def place(self) -> np.ndarray:
        """(t, q), (1 + nq,)."""
        return np.array([self.t, *self.q], dtype=object)

    @property
    def tangent(self) -> np.ndarray:
        """(u⁰, u), (1 + nq,)."""
        return np.array([self.pace, *self.u], dtype=object)

    def integrand(self, carry: str) -> Any:
        r"""The integrand of the action of a carried curve, over the instants of the curve before.

        .. math:: (u^0)^2\,T(t, q, u/u^0) - U(t, q) \quad\text{or}\quad u^0\,L(t, q, u/u^0)

        The first is ½ g : dC and −U with the carried presence measure, without ½ (u⁰)², whose integral no carrier changes; the second is
        L dt along the carried curve. Moreau, (11.2), (11.5).
        """
        rates = [x / self.pace for x in self.u]
        if carry == CURVE:
            return self.pace * substitute(np.array([self.lagrangian], dtype=object), self.u, rates)[0]
        T = substitute(np.array([self.kinetic], dtype=object), self.u, rates)[0]
        return self.pace * self.pace * T - self.potential


class CurveNodes(NamedTuple):
    """Places (t, q) (T, 1 + nq) and tangents (1, u) (T, 1 + nq) of a motion, and the values ``curve`` (T, k) there."""

    place: np.ndarray
    tangent: np.ndarray
    curve: np.ndarray


class CurveImpulses(NamedTuple):
    """Impulses of a motion: ``times`` (K,), ``place`` (K, 1 + nq), covectors ``along`` (K, nv) on virtual velocities, and the mean of the
    velocities before and after, ``mean`` (K, nv)."""

    times: np.ndarray
    place: np.ndarray
    along: np.ndarray
    mean: np.ndarray


NO_IMPULSES = CurveImpulses(np.zeros(0), np.zeros((0, 0)), np.zeros((0, 0)), np.zeros((0, 0)))
"""Those of a smooth motion."""


class ActionSource(ABC):
    """The action of one motion; each type of model has its own."""

    graphs: ActionGraphs
    edges: np.ndarray
    """Ends of the steps, (S + 1,)."""
    is_constrained: bool
    """Whether reactions of constraints act along the motion."""

    @abstractmethod
    def nodes(self, piece: np.ndarray, time: np.ndarray) -> CurveNodes:
        """The motion at instants, each in the step of its number."""

    @abstractmethod
    def impulses(self) -> CurveImpulses:
        """All impulses inside the motion."""

    @abstractmethod
    def error(self, low: float, high: float) -> float:
        """Relative error of the action's rate that the method of the motion may leave, for a carrier with this support."""

    @abstractmethod
    def samples(self, count: int, rng: np.random.Generator) -> list[tuple[float, float, np.ndarray]]:
        """Random supports of carriers as center and half width, with the sizes of virtual velocities (nv,) that have unit energy."""

    @abstractmethod
    def outward(self, count: int, rng: np.random.Generator) -> list[tuple[float, float, np.ndarray]]:
        """Center, half width and virtual velocity (nv,) of carriers that point out of unilateral constraints where impulses act."""

    @abstractmethod
    def inward_powers(self, w: np.ndarray) -> np.ndarray:
        """What the sizes of impulses may do on virtual velocities w (K, nv) that do not quite point outward, or slip, (K,)."""
