"""The shocks of a motion in numbers: states on both sides, and what boundaries, inertia and two-sided bonds are there."""

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from vinculum.kernels.evaluate import evaluate_groups
from vinculum.motion import Motion
from vinculum.motion.pieces import horner
from vinculum.motion.states import recorded_states, tape_rows

DEPENDENT = 1e-11
TIME_STEPPING = ("moreau",)
"""Methods whose impulses may belong to a whole step, and stand as atoms in its middle."""


@final
@dataclass(frozen=True, eq=False)
class Geometry:
    """Boundaries and inertia at states: ``gaps`` (K, m), ``slopes`` H (K, 3 m, nv), ``drifts`` (K, 3 m), ``mass`` M (K, nv, nv) and
    ``mobility`` (K, nv, nv), M⁻¹ on the velocities that two-sided bonds leave."""

    gaps: np.ndarray
    slopes: np.ndarray
    drifts: np.ndarray
    mass: np.ndarray
    mobility: np.ndarray


@final
@dataclass(frozen=True, eq=False)
class Shocks:
    """All atoms of a motion: ``times`` (K,), ``percussions`` P (K, 3 m), ``left`` and ``right`` states (K, n).

    ``before``, ``after``: velocities (K, nv) between which the shock law holds, those at the ends of the step in time stepping.
    ``first``, ``last``: states (K, n) at both ends of that step, the last one as if nothing had been hit.
    ``slope``: accelerations (K, nv) before the shock; ``step`` (K,): length of the step an impulse belongs to, zero if it is a true atom.
    """

    motion: Motion
    times: np.ndarray
    percussions: np.ndarray
    left: np.ndarray
    right: np.ndarray
    before: np.ndarray
    after: np.ndarray
    slope: np.ndarray
    step: np.ndarray
    first: np.ndarray
    last: np.ndarray

    def __len__(self) -> int:
        return len(self.times)

    @property
    def jumps(self) -> np.ndarray:
        """v⁺ − v⁻ (K, nv)."""
        nq = self.motion.model.nq
        return self.right[:, nq:] - self.left[:, nq:]

    @cached_property
    def here(self) -> Geometry:
        """At the places of the shocks."""
        return geometry(self.motion, self.times, self.motion.model.on_charts(self.left))

    @cached_property
    def nearby(self) -> Geometry:
        """As far away as the place for which time stepping took the impulses may be: h² q̈/4, twice its distance."""
        if not np.any(self.step):
            return self.here
        nq, h = self.motion.model.nq, 0.5 * self.step[:, None]
        q, v = self.left[:, :nq], self.left[:, nq:]
        here = self.rates(q, v)
        moved = q + h * (self.rates(q + h * here, v) - here) + h**2 * self.rates(q, self.slope)
        states = np.concatenate([moved, v], axis=1)
        # in the middle of a step quaternions have a length of their own
        return geometry(self.motion, self.times, 2.0 * states - self.motion.model.on_charts(states))

    def rates(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """q̇ = N(q) v (K, nq) at the instants of the shocks."""
        rows = tape_rows(self.motion, self.times, np.concatenate([q, v], axis=1))
        return evaluate_groups(self.motion.model.tape("rates"), rows)["q_dot"]

    def speeds(self, velocities: np.ndarray) -> np.ndarray:
        """Speeds u = H v + drift (K, 3 m) of parting and slip at the places of the shocks."""
        return _speeds(self.here, velocities)

    @cached_property
    def arriving(self) -> np.ndarray:
        """Speeds u⁻ (K, 3 m) of which the shock law speaks, at the beginning of its step."""
        return np.where(self.step[:, None] > 0.0, _speeds(self._geometry(self.first), self.before), self.speeds(self.before))

    @cached_property
    def leaving(self) -> np.ndarray:
        """Speeds u⁺ (K, 3 m) of which the shock law speaks, where the step would have ended without it, of what two-sided bonds allow."""
        at, velocities = self._geometry(self.last), self.after
        if self.motion.model.layout["gaps"]:
            ends = self.times + 0.5 * self.step
            base = recorded_states(self.motion, ends, self.last)[:, self.motion.model.nq :]
            velocities = np.einsum("kij,kjl,kl->ki", at.mobility, at.mass, velocities - base) + base
        return np.where(self.step[:, None] > 0.0, _speeds(at, velocities), self.speeds(self.after))

    def _geometry(self, states: np.ndarray) -> Geometry:
        if not np.any(self.step):
            return self.here
        side = 0.5 if states is self.last else -0.5
        return geometry(self.motion, self.times + side * self.step, states)

    def made(self, at: Geometry, boundary: int | None = None) -> np.ndarray:
        """Changes of the velocities (K, nv) that the percussions make, all of them or those of one boundary."""
        rows = slice(None) if boundary is None else slice(3 * boundary, 3 * boundary + 3)
        pushed = np.einsum("krj,kr->kj", at.slopes[:, rows], self.percussions[:, rows])
        return np.einsum("kij,kj->ki", at.mobility, pushed)


def shocks(motion: Motion) -> Shocks | None:
    """The shocks of a motion with boundaries; None without boundaries or where their reactions are not known."""
    model, atoms = motion.model, motion.atoms
    if not model.layout.get("boundaries") or atoms is None or model.swarm is not None:
        return None
    nq, times, percussions = model.nq, atoms.times, atoms.percussions
    edges = np.asarray(motion.pieces.times)
    left, right = (motion.pieces.state(times, side=side) for side in ("left", "right"))
    k = np.clip(np.searchsorted(edges, times, side="left"), 1, len(edges) - 2) if len(times) else np.zeros(0, dtype=int)
    left, right = _in_turn(motion, times, percussions, left, right)
    slope = np.array([np.asarray(motion.pieces.coefficients[i - 1])[nq:, 1] for i in k]).reshape(len(k), model.nv)
    if motion.method.claims.name not in TIME_STEPPING:
        whole = left[:, nq:], right[:, nq:], slope, np.zeros(len(k))
        return Shocks(motion, times, percussions, left, right, *whole, left, left)
    spread = atoms.durations > 0.0
    left = np.where(spread[:, None], left, recorded_states(motion, times, left))
    left[:, :nq] = np.where(spread[:, None], left[:, :nq], right[:, :nq])  # a move out of penetration comes before a shock
    before = np.where(spread[:, None], motion.pieces.state(edges[k - 1])[:, nq:], left[:, nq:])
    after = np.where(spread[:, None], motion.pieces.state(edges[k + 1], side="left")[:, nq:], right[:, nq:])
    unhit = [np.asarray(motion.pieces.coefficients[i - 1]) for i in k]
    last = horner(np.array(unhit), atoms.durations) if len(k) else left
    first = motion.pieces.state(edges[k - 1])
    return Shocks(motion, times, percussions, left, right, before, after, slope, atoms.durations, first, last)


def _speeds(at: Geometry, velocities: np.ndarray) -> np.ndarray:
    return np.einsum("krn,kn->kr", at.slopes, velocities) + at.drifts


def geometry(motion: Motion, time: np.ndarray, states: np.ndarray) -> Geometry:
    """Boundaries and inertia at states (K, n)."""
    found = evaluate_groups(motion.model.tape("boundaries"), tape_rows(motion, time, states))
    K, nv = len(time), motion.model.nv
    m, kept = found["gaps"].shape[1], len(motion.model.layout["gaps"])
    M, G = found["mass_matrix"].reshape(K, nv, nv), found["bilateral"].reshape(K, kept, nv)
    slopes = found["slopes"].reshape(K, 3 * m, nv)
    return Geometry(found["gaps"], slopes, found["drifts"], M, mobility(M, G))


def mobility(M: np.ndarray, G: np.ndarray) -> np.ndarray:
    r"""Inverse inertia on what the conditions G v = 0 leave, (K, nv, nv); dependent rows change nothing.

    .. math:: M^{-1} - M^{-1} G^T (G M^{-1} G^T)^+ G M^{-1}
    """
    inverse = np.linalg.inv(M) if len(M) else M
    if not G.shape[1]:
        return inverse
    held = G @ inverse
    inner = np.linalg.pinv(held @ np.swapaxes(G, 1, 2), rcond=DEPENDENT, hermitian=True)
    return inverse - np.swapaxes(held, 1, 2) @ inner @ held


def _in_turn(motion: Motion, times, percussions, left, right) -> tuple[np.ndarray, np.ndarray]:
    """States on both sides of shocks at one instant, each after the one before.

    A motion does not hold what was before a shock at its very beginning: that is what the percussions say it was.
    """
    nq = motion.model.nq
    together, first = np.flatnonzero(np.diff(times) == 0.0), np.flatnonzero(times <= motion.pieces.begin)
    if not len(together) and not len(first):
        return left, right
    at = geometry(motion, times, motion.model.on_charts(left))
    made = np.einsum("kij,krj,kr->ki", at.mobility, at.slopes, percussions)
    left, right = left.copy(), right.copy()
    left[first, nq:] -= made[first].sum(axis=0)
    for k in together:
        left[k + 1, nq:] = right[k, nq:] = left[k, nq:] + made[k]
    return left, right
