"""`ActionOfSteps`: the action of bodies in contact that move by time steps, on the broken path of their method."""

from abc import ABC, abstractmethod
from typing import NamedTuple, final

import numpy as np

from vinculum.audits.action.loops import ActionOfLoop
from vinculum.audits.action.source import CurveBreaks, CurveImpulses, CurveNodes
from vinculum.audits.tabled.action import MechanicsOfTables
from vinculum.errors import MethodError
from vinculum.models.tabled.tabled import Tabled
from vinculum.motion.record import Record
from vinculum.motion.states import recorded_states
from vinculum.tolerances.certificates import SAFETY
from vinculum.tolerances.iterations import OUTWARD_TRIES
from vinculum.tolerances.round_off import ROUND_OFF
from vinculum.tolerances.samples import STEPS_OF_OUTWARD_FIELD, TRIES_OF_OUTWARD_CARRIERS


class StepImpulses(NamedTuple):
    """What acts in the middle of some steps, on virtual velocities (K, nv): the impulses of contacts, and those that the equations of
    the method need for the velocities before and after."""

    contacts: np.ndarray
    needed: np.ndarray


class Pressed(NamedTuple):
    """Contacts: ``step`` (C,), the numbers of both ``bodies`` (C, 2), −1 for those that no velocity moves, ``places`` (C, 3),
    ``normals`` (C, 3) from the second to the first, ``impulses`` (C, 3) on the first, and the friction ``mu`` (C,)."""

    step: np.ndarray
    bodies: np.ndarray
    places: np.ndarray
    normals: np.ndarray
    impulses: np.ndarray
    mu: np.ndarray


class StepLaw(ABC):
    """Time steps of one type of model: ``edges`` (S + 1,) [s] between them, and the relative ``error`` with which their equations hold."""

    edges: np.ndarray
    error: float
    bounded_by_contacts: bool = True
    """Whether the speeds of contacts bound the power of impulses: moments against rolling and reactions have a power of their own."""

    @abstractmethod
    def impulses_in(self, steps: np.ndarray) -> StepImpulses:
        """The impulses in steps (K,)."""

    @abstractmethod
    def contacts(self, steps: np.ndarray) -> Pressed:
        """The contacts in consecutive steps (K,)."""

    @abstractmethod
    def largest_jumps(self, steps: np.ndarray) -> np.ndarray:
        """How far (K, nq) or (K, 1) coordinates may be moved in the middles of steps: corrections of penetration, and what straight
        halves leave where bodies rotate."""

    def with_reactions(self, times: np.ndarray, states: np.ndarray, given: np.ndarray) -> np.ndarray:
        """Applied impulses (K, nv) with those by which closed loops, constraints and contacts answer them, at states (K, n) before."""
        return given

    @property
    @abstractmethod
    def pressed_steps(self) -> np.ndarray:
        """The numbers of steps with contacts."""


@final
class ActionOfSteps(ActionOfLoop):
    r"""The broken path of a time-stepping method: q(t) is straight from the beginning of a step to its middle, with the velocities there,
    and straight to its end, with the velocities there.

    Momenta change in the middles alone. The method gives all forces of a step the form of one impulse there, which is what its momenta
    need; distributed forces on the straight halves are what these halves need. So the rate of the action is that of these forces and of
    the impulses of contacts, without an error of the step. Corrections of penetration move the path in the middles as well.
    Moreau, in Nonsmooth Mechanics and Applications, CISM 302 (1988), and An expression of classical dynamics, (11.3).
    """

    def __init__(self, motion: Record, law: StepLaw, tabled: Tabled | None = None):
        self.tables = MechanicsOfTables(motion, tabled)
        super().__init__(motion, self.tables)
        self.law = law
        if len(law.edges) < 2:
            raise MethodError(
                f"system '{motion.model.name}': no step of this motion has recorded impulses, so that its action has no rate to compare "
                "with; use a motion of vc.simulate"
            )
        self.is_constrained = True
        self.edges = np.empty(2 * len(law.edges) - 1)
        self.edges[::2], self.edges[1::2] = law.edges, 0.5 * (law.edges[:-1] + law.edges[1:])

    def nodes(self, piece: np.ndarray, time: np.ndarray) -> CurveNodes:
        place, tangent, second = self._path(piece, time)
        v, a = self.tables.path_velocities(place, tangent, second)
        return CurveNodes(place, tangent, np.concatenate([v, self.tables.forces_needed(place, v, a)], axis=1))

    def _states(self, piece: np.ndarray, time: np.ndarray) -> np.ndarray:
        place, tangent, second = self._path(piece, time)
        return np.concatenate([place[:, 1:], self.tables.path_velocities(place, tangent, second)[0]], axis=1)

    @property
    def hits(self) -> np.ndarray:
        return self.edges[2 * self.law.pressed_steps + 1]

    def impulses(self, low: float, high: float) -> CurveImpulses:
        steps = self._steps(low, high)
        time = self.edges[2 * steps + 1]
        place = self._path(2 * steps + 1, time)[0]
        met = CurveImpulses(time, place, self.law.impulses_in(steps).contacts, self._mean(steps))
        applied = self._applied_impulses(low, high)
        return CurveImpulses(*(np.concatenate(both) for both in zip(met, applied, strict=True))) if applied else met

    def _applied_impulses(self, low: float, high: float) -> CurveImpulses | None:
        """Applied impulses, which act between steps."""
        atoms, nq = self.motion.atoms, self.motion.model.nq
        if atoms is None or atoms.given is None:
            return None
        inside = (atoms.times > low) & (atoms.times < high)
        if not inside.any():
            return None
        times = atoms.times[inside]
        left, right = (self._states_at(times, side) for side in ("left", "right"))
        place = np.concatenate([times[:, None], left[:, :nq]], axis=1)
        along = self.law.with_reactions(times, left, atoms.given[inside])
        return CurveImpulses(times, place, along, 0.5 * (left + right)[:, nq:])

    def breaks(self, low: float, high: float) -> CurveBreaks:
        steps = self._steps(low, high)
        time = self.edges[2 * steps + 1]
        (before, u), (after, u_after) = (self._path(2 * steps + side, time)[:2] for side in (0, 1))
        far = np.any(np.abs(after - before)[:, 1:] > self.law.largest_jumps(steps), axis=1, keepdims=True)
        after = np.where(far, before, after)  # such a leap is no correction, and its power is not explained
        sides = [self.tables.canonical(before, u), self.tables.canonical(after, u_after)]
        momenta, energies = (np.stack([side[k] for side in sides], axis=1) for k in (0, 1))
        return CurveBreaks(
            time, before, after, momenta, energies, self.law.impulses_in(steps).needed, self._mean(steps)
        )

    def outward(self, count: int, rng: np.random.Generator) -> list[tuple[float, float, np.ndarray]]:
        drawn, pressed = [], self.law.pressed_steps if self.law.bounded_by_contacts else np.zeros(0)
        for _ in range(TRIES_OF_OUTWARD_CARRIERS * count if len(pressed) else 0):
            if len(drawn) == count:
                break
            one = self._outward_carrier(int(rng.choice(pressed)), rng)
            if one is not None:
                drawn.append(one)
        return drawn

    def _outward_carrier(self, step: int, rng: np.random.Generator) -> tuple[float, float, np.ndarray] | None:
        r"""A carrier on one block around a step, a with a_N + μ |a_T| ≤ 0 at each of its contacts there; None if none is found."""
        reach = rng.uniform(1.0, STEPS_OF_OUTWARD_FIELD)
        h = self.law.edges[step + 1] - self.law.edges[step]
        center, half = float(self.edges[2 * step + 1]), float(reach * h)
        steps = self._steps(center - half, center + half)
        met = self.law.contacts(steps)
        rows, here = self._contact_rows(steps, met), np.flatnonzero(met.step == step)
        moved = [c for c in here if rows[c].any()]
        if not moved:
            return None
        one = rows[moved[int(rng.integers(len(moved)))]].any(axis=0)
        own = self.tables.block_of_velocities == rng.choice(np.unique(self.tables.block_of_velocities[one]))
        own &= rows.any(axis=(0, 1))  # a body that deforms is displaced as a whole
        place = self._path(np.array([2 * step]), np.array([center]))[0]
        rows = np.where(own, rows, 0.0)
        scale = 1.0 / np.sqrt(self.tables.inertias(place[:, 0], np.append(place[0, 1:], np.zeros(len(own)))[None])[0])
        base = -np.where(own, scale**2 * rows[:, 0].sum(axis=0), 0.0)
        noise = np.where(own, scale * rng.normal(size=len(own)), 0.0) * np.linalg.norm(base / scale)
        for k in range(OUTWARD_TRIES + 1):
            a = base + (0.5**k * noise if k < OUTWARD_TRIES else 0.0)
            if a.any() and np.all(_inward_speeds(rows @ a, met.mu) <= 0.0):
                return center, half, a
        return None

    def inward_powers(self, low: float, high: float, w: np.ndarray) -> np.ndarray:
        steps, found = self._steps(low, high), np.zeros(len(w))
        met = self.law.contacts(steps)
        speeds = np.einsum("ckn,cn->ck", self._contact_rows(steps, met), w[met.step - steps[0]])
        sizes = np.linalg.norm(met.impulses, axis=1) * np.maximum(_inward_speeds(speeds, met.mu), 0.0)
        np.add.at(found, met.step - steps[0], sizes)
        return found

    def _contact_rows(self, steps: np.ndarray, met: Pressed) -> np.ndarray:
        """Relative velocities (C, 3, nv) along frames of contacts, the normal first, per virtual velocity in the middles of steps."""
        C, place = len(met.step), self._path(2 * steps + 1, self.edges[2 * steps + 1])[0]
        if not C:
            return np.zeros((0, 3, self.motion.model.nv))
        frames = np.stack([met.normals, *_tangents(met.normals)], axis=1).reshape(3 * C, 3)
        at, k = np.repeat(met.step - steps[0], 3), np.arange(3 * C)
        origins = self.tables.origins(place)
        wrenches, still = np.zeros((3 * C, origins.shape[1], 6)), np.zeros((3 * C, self.motion.model.nv))
        for side, sign in ((0, 1.0), (1, -1.0)):
            body = np.repeat(met.bodies[:, side], 3)
            own = k[body >= 0]
            b = body[own]
            arm = np.repeat(met.places, 3, axis=0)[own] - origins[at[own], b]
            np.add.at(wrenches, (own, b), sign * np.concatenate([frames[own], np.cross(arm, frames[own])], axis=1))
        rest = np.zeros((len(place), self.motion.model.nv))
        without = self.tables.forces_needed(place, rest, rest)[at]
        return (without - self.tables.forces_needed(place[at], still, still, wrenches)).reshape(C, 3, -1)

    def error(self, low: float, high: float) -> float:
        steps, clock = len(self._steps(low, high)), np.abs(self.edges).max() / (0.5 * (high - low))
        return SAFETY**2 * ROUND_OFF * (2 * steps + 10 + clock) + self.law.error

    def _steps(self, low: float, high: float) -> np.ndarray:
        """The numbers of steps with their middles inside an interval."""
        return np.flatnonzero((self.edges[1::2] > low) & (self.edges[1::2] < high))

    def _path(self, piece: np.ndarray, time: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Places (t, q), tangents and second rates (T, 1 + nq) on halves of steps, which are numbered ``piece``."""
        known, inverse = np.unique(piece, return_inverse=True)
        second = known % 2 == 1
        ends = np.where(second[:, None], self._ends(known // 2 + 1, "left"), self._ends(known // 2, "right"))
        at = np.where(second, self.law.edges[known // 2 + 1], self.law.edges[known // 2])
        began = self.tables.path(at, ends)
        q, u = (x[:, 1:][inverse] for x in began)
        q = q + (time - at[inverse])[:, None] * u
        return _on_charts(time, q, u, self.motion.model.layout.quaternions)

    def _ends(self, edge: np.ndarray, side: str) -> np.ndarray:
        """States (K, nq + nv) between steps, on one side of what is applied there."""
        return self._states_at(self.law.edges[edge], side)

    def _states_at(self, time: np.ndarray, side: str) -> np.ndarray:
        return self.motion.model.on_charts(
            recorded_states(self.motion, time, self.motion.pieces.state(time, side=side))
        )

    def _mean(self, steps: np.ndarray) -> np.ndarray:
        """The mean (K, nv) of the velocities before and after steps."""
        return 0.5 * (self._ends(steps, "right") + self._ends(steps + 1, "left"))[:, self.motion.model.nq :]


def _tangents(normals: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two unit vectors (C, 3) each, orthogonal to normals and to each other."""
    axis = np.eye(3)[np.argmin(np.abs(normals), axis=1)]
    first = np.cross(normals, axis)
    first /= np.linalg.norm(first, axis=1, keepdims=True)
    return first, np.cross(normals, first)


def _inward_speeds(speeds: np.ndarray, mu: np.ndarray) -> np.ndarray:
    """a_N + μ |a_T| (C,) of speeds (C, 3): an impulse in the cone has at most this power, times its normal part."""
    return speeds[:, 0] + mu * np.linalg.norm(speeds[:, 1:], axis=1)


def _on_charts(time, q: np.ndarray, u: np.ndarray, quaternions) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A straight path with its quaternions brought to length one, and its first and second rates."""
    place, one = np.concatenate([time[:, None], q], axis=1), np.ones((len(time), 1))
    tangent, second = np.concatenate([one, u], axis=1), np.zeros_like(place)
    for first, last in quaternions:
        own = slice(1 + first, 1 + last)
        n = np.linalg.norm(place[:, own], axis=1, keepdims=True)
        unit, rate = place[:, own] / n, tangent[:, own]
        along = (unit * rate).sum(axis=1, keepdims=True)
        turned = (rate - along * unit) / n
        change = (turned * rate).sum(axis=1, keepdims=True)
        place[:, own], tangent[:, own], second[:, own] = unit, turned, -(change * unit + 2.0 * along * turned) / n
    return place, tangent, second
