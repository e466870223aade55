"""What the action of a motion is made of: `ActionSpace`, `ActionGraphs`, and `ActionSource`, which a type of model implements."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, final

import numpy as np

from vinculum.scalars import substitute, symbol

MEASURE, CURVE = "measure", "curve"
"""What a carrier moves: the kinetic measure, or the curve, whose action is then an integral over its own time."""


@final
@dataclass(frozen=True, eq=False)
class ActionSpace:
    """Where carriers of a motion live: symbols ``t``, ``q`` (nq,), called ``names``, and ``nv`` virtual velocities.

    ``is_split``: whether L is a difference T − U, so that its kinetic measure can be carried. ``timed``: see `ActionGraphs`.
    """

    where: str
    names: tuple[str, ...]
    t: Any
    q: np.ndarray
    nv: int
    is_split: bool
    timed: bool


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

    @property
    def space(self) -> ActionSpace:
        """What carriers are functions of."""
        return ActionSpace(self.where, self.names, self.t, self.q, self.nv, self.kinetic is not None, self.timed)

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

    def between(self, low: float, high: float) -> "CurveImpulses":
        """Those inside an interval."""
        inside = (self.times > low) & (self.times < high)
        return CurveImpulses(*(x[inside] for x in self))


class CurveBreaks(NamedTuple):
    """Where a time-stepped path breaks: ``times`` (K,), places (K, 1 + nq) ``before`` and ``after``, ``momenta`` (K, 2, nv) on virtual
    velocities and ``energies`` (K, 2) on both sides; ``needed`` (K, nv): the impulses that the equations of the method need there, and
    the ``mean`` of the velocities, (K, nv)."""

    times: np.ndarray
    before: np.ndarray
    after: np.ndarray
    momenta: np.ndarray
    energies: np.ndarray
    needed: np.ndarray
    mean: np.ndarray


NO_IMPULSES = CurveImpulses(np.zeros(0), np.zeros((0, 0)), np.zeros((0, 0)), np.zeros((0, 0)))
"""Those of a smooth motion."""


class NodeRates(NamedTuple):
    """At nodes of a motion: the derivative of the integrand along a carrier, the power of the forces beside it, and the sizes of their
    terms, (T,)."""

    lie: np.ndarray
    power: np.ndarray
    size: np.ndarray


class CarriedTerms(ABC):
    """One action under carriers of one family. ``own`` (T, k): for every node the values of the symbols of its carrier."""

    moves_time: bool
    """Whether carriers have components along time."""

    @abstractmethod
    def flow(self, place: np.ndarray, tangent: np.ndarray, own: np.ndarray) -> np.ndarray:
        """η and its rates along the tangents, (T, 2 + 2 nq)."""

    @abstractmethod
    def values(self, place: np.ndarray, tangent: np.ndarray, curve: np.ndarray) -> np.ndarray:
        """The integrand of the action, (T,)."""

    @abstractmethod
    def rates(self, curve: CurveNodes, own: np.ndarray) -> NodeRates:
        """What the carriers do along the motion."""

    @abstractmethod
    def fields(self, place: np.ndarray, own: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """η⁰ (T, 1) and the virtual velocities w (T, nv) at places."""


class RandomCarrier(NamedTuple):
    """A random carrier before its coefficients are drawn: center and half width in time, sizes (nv,) of virtual velocities with unit
    energy, and place and tangent (1 + nq,) of the motion at its center."""

    center: float
    half: float
    size: np.ndarray
    place: np.ndarray
    tangent: np.ndarray


class ActionSource(ABC):
    """The action of one motion; each type of model has its own."""

    edges: np.ndarray
    """Ends of the steps, (S + 1,)."""
    is_constrained: bool
    """Whether reactions of constraints act along the motion."""

    nodes_at_once: int
    """Nodes that are evaluated together, so that memory suffices."""

    @property
    @abstractmethod
    def space(self) -> ActionSpace:
        """What carriers are functions of."""

    @abstractmethod
    def written_out(self) -> ActionGraphs:
        """The whole Lagrangian as graphs; a motion whose equations are not written out is refused."""

    @abstractmethod
    def terms_of(self, field: Any, carry: str) -> CarriedTerms:
        """The action under carriers of a family: a `CarrierGraphs`, or one of `random_family`."""

    @abstractmethod
    def random_family(self, chosen: Sequence[RandomCarrier], rng: np.random.Generator) -> tuple[Any, np.ndarray]:
        """A family of carriers with components of order one in units of the motion, that vary over its lengths, and the values (F, k) of
        its symbols for those chosen. Its ``without_time()`` is the same family without components along time."""

    @abstractmethod
    def constant_family(self, chosen: Sequence[tuple[float, float, np.ndarray]]) -> tuple[Any, np.ndarray]:
        """The family of carriers a B(s) with given center, half width and virtual velocity a (nv,), and the values of its symbols."""

    @abstractmethod
    def charted_coordinates(self, low: float, high: float) -> np.ndarray:
        """Coordinates (nq,) of which a random carrier with this support may be a function: those that are counted from one base in it."""

    @abstractmethod
    def named_coordinates(self, low: float, high: float) -> np.ndarray:
        """Coordinates (nq,) of which a user's carrier with this support may be a function: those that are counted as the user counts."""

    @abstractmethod
    def nodes(self, piece: np.ndarray, time: np.ndarray) -> CurveNodes:
        """The motion at instants, each in the step of its number."""

    @property
    @abstractmethod
    def hits(self) -> np.ndarray:
        """Instants of impulses, about which carriers are placed."""

    @abstractmethod
    def impulses(self, low: float, high: float) -> CurveImpulses:
        """The impulses inside an interval."""

    def breaks(self, low: float, high: float) -> CurveBreaks | None:
        """The breaks of the path inside an interval; None for a path that jumps of velocities explain."""
        return None

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
    def inward_powers(self, low: float, high: float, w: np.ndarray) -> np.ndarray:
        """What the sizes of impulses inside an interval may do on virtual velocities w (K, nv) there that do not quite point outward, or
        slip, (K,)."""
