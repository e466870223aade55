"""The impacts of a motion in numbers: states on both sides, gaps, inertia and bilateral constraints there."""

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from vinculum.audits.impacts.contact_rows import contact_rows, padded_rows, shape_motions
from vinculum.audits.impacts.row_laws import RowLaws, row_laws
from vinculum.audits.scaling.scales import instant_limit
from vinculum.compile.evaluate import evaluate, evaluate_groups
from vinculum.models.model import Model
from vinculum.models.one_unit import size_of
from vinculum.motion.impulses.atoms import Atoms
from vinculum.motion.impulses.meetings import Meetings
from vinculum.motion.pieces import horner
from vinculum.motion.record import Record
from vinculum.motion.states import recorded_states, tape_rows
from vinculum.tolerances.certificates import IMPULSES_SOLVED, SAFETY
from vinculum.tolerances.event_driven import EXACTLY_TOUCHING, TOUCHING
from vinculum.tolerances.rank import DEPENDENT_GRAM
from vinculum.tolerances.round_off import HUNDRED_ROUND_OFFS
from vinculum.tolerances.time_stepping import STEP_ACCEPTED

TIME_STEPPING = ("moreau",)
"""Methods whose impulses may belong to a whole step and are recorded as atoms in its middle."""


@final
@dataclass(frozen=True, eq=False)
class Geometry:
    """Unilateral constraints, contacts and inertia at states: ``gaps`` (K, m), ``jacobians`` H (K, 3 b, nv), ``drifts`` (K, 3 b),
    ``mass`` M (K, nv, nv), ``bilateral`` G (K, r, nv) and ``mobility`` (K, nv, nv), M⁻¹ on the velocities that bilateral bonds allow.

    The rows of the m unilateral constraints and contacts come first, then the rows of rotation of those that resist rolling."""

    gaps: np.ndarray
    jacobians: np.ndarray
    drifts: np.ndarray
    mass: np.ndarray
    bilateral: np.ndarray
    mobility: np.ndarray


@final
@dataclass(frozen=True, eq=False)
class Impacts:
    """All atoms of a motion: ``times`` (K,), ``contact_impulses`` P (K, 3 b), ``left`` and ``right`` states (K, n).

    ``before``, ``after``: velocities (K, nv) between which the impact law holds, in time stepping those at the ends of the step.
    ``first``, ``last``: states (K, n) at both ends of that step, the last one without the impact. ``reached``: the actual end of the step,
    before positions were corrected.
    ``slope``: accelerations (K, nv) before the impact. ``step`` (K,): length of the step an impulse belongs to, zero if it is a true atom.
    ``given`` (K, nv): impulses of the user along the velocities, which are true atoms. ``fastest``, ``speed_of_slips`` [m/s]: the scale of
    speeds, and the speed of which least slips are a fraction, in a motion of which these are the impacts of a part.
    """

    motion: Record
    times: np.ndarray
    contact_impulses: np.ndarray
    left: np.ndarray
    right: np.ndarray
    before: np.ndarray
    after: np.ndarray
    slope: np.ndarray
    step: np.ndarray
    first: np.ndarray
    last: np.ndarray
    reached: np.ndarray
    given: np.ndarray
    met: Meetings | None
    laws: RowLaws
    fastest: float = 0.0
    speed_of_slips: float = 0.0

    def __len__(self) -> int:
        return len(self.times)

    @property
    def normals(self) -> slice:
        """The rows of normal velocities."""
        return slice(0, 3 * len(self.laws.turns), 3)

    @property
    def impulses(self) -> np.ndarray:
        """Impulses (K, m, 3) without the moments."""
        m = len(self.laws.turns)
        return self.contact_impulses[:, : 3 * m].reshape(len(self), m, 3)

    @cached_property
    def in_turn(self) -> np.ndarray:
        """Whether one of the touching constraints has sequential impacts, (K, 1). Then all of them have. A gap that closes within a step
        without an impulse of its own may have been open in that step, see `may_be_in_turn`."""
        exact = (self.step[:, None] <= 0.0) & (self.here.gaps <= EXACTLY_TOUCHING * size_at_impacts(self))
        return np.any((self.impulses.any(axis=2) | exact) & self.laws.in_turn, axis=1, keepdims=True)

    @property
    def jumps(self) -> np.ndarray:
        """v⁺ − v⁻ (K, nv)."""
        nq = self.motion.model.nq
        return self.right[:, nq:] - self.left[:, nq:]

    @cached_property
    def free(self) -> np.ndarray:
        """Accelerations (K, nv) before the impacts, without contacts."""
        rows = tape_rows(self.motion, self.times, self.motion.model.on_charts(self.left))
        return evaluate(self.motion.model.tape("motion"), rows)[:, self.motion.model.nq :]

    @cached_property
    def here(self) -> Geometry:
        """The geometry at the positions of the impacts."""
        return geometry(self.motion, self.times, self.motion.model.on_charts(self.left), self.met)

    @cached_property
    def nearby(self) -> Geometry:
        """The geometry at a distance of h² q̈/4, twice that of the position for which time stepping computed the impulses."""
        return geometry(self.motion, self.times, self._displaced, self.met) if np.any(self.step) else self.here

    @cached_property
    def _displaced(self) -> np.ndarray:
        nq, h = self.motion.model.nq, 0.5 * self.step[:, None]
        q, v = self.left[:, :nq], self.left[:, nq:]
        here = coordinate_rates(self, q, v)
        moved = q + h * (coordinate_rates(self, q + h * here, v) - here) + h**2 * coordinate_rates(self, q, self.slope)
        return self.motion.model.on_charts(np.concatenate([moved, v], axis=1))

    @cached_property
    def shifts(self) -> np.ndarray:
        """Uncertainty of speeds (K, m) at contacts: the distance between these positions times the angular velocities of the shapes."""
        model = self.motion.model
        found = np.zeros((len(self), len(self.laws.turns)))
        if model.shapes is not None and np.any(self.step):
            way, turn = [], []
            for states in (self.motion.model.on_charts(self.left), self._displaced, self.right):
                places = shape_motions(model, tape_rows(self.motion, self.times, states))
                way.append(places.centers)
                turn.append(places.turns.max(axis=1, initial=0.0))
            gone = np.linalg.norm(way[1] - way[0], axis=2).max(axis=1, initial=0.0)
            found[:, len(self.laws.unilaterals) :] = (gone * np.maximum(turn[0], turn[2]))[:, None]
        return found

    @cached_property
    def rounded(self) -> np.ndarray:
        """Changes of the velocities (K, nv) by round-off in the positions of contacts."""
        model = self.motion.model
        if self.met is None or not len(self.met):
            return np.zeros((len(self), model.nv))
        rows = contact_rows(model, tape_rows(self.motion, self.times, self.motion.model.on_charts(self.left)), self.met)
        size = size_at_impacts(self) + float(np.abs(self.met.places).max())
        pushed = np.linalg.norm(self.impulses[:, len(self.laws.unilaterals) :], axis=2)
        moments = HUNDRED_ROUND_OFFS * size * np.repeat(pushed, 3, axis=1)
        return np.einsum(
            "kij,krj,kr->ki", np.abs(self.here.mobility), np.abs(rows.turn_jacobians), moments, optimize=True
        )

    def speeds(self, velocities: np.ndarray) -> np.ndarray:
        """Speeds u = H v + drift (K, 3 m), normal and tangential, at the positions of the impacts."""
        return _speeds(self.here, velocities)

    @cached_property
    def arriving(self) -> np.ndarray:
        """Speeds u⁻ (K, 3 b) of the impact law, at the beginning of its step; for contacts of shapes in its middle."""
        return self._at_ends(self.before, self._geometry(self.first), self.before)

    @cached_property
    def leaving(self) -> np.ndarray:
        """Speeds u⁺ (K, 3 b) of the impact law, at the end of the step without the impact, for velocities that bilateral bonds allow there;
        for contacts of shapes in its middle, but for the same velocities."""
        at, velocities = self._geometry(self.last), self.after
        if self.motion.model.layout.gaps:
            ends = self.times + 0.5 * self.step
            base = recorded_states(self.motion, ends, self.last)[:, self.motion.model.nq :]
            allowed = mobility(self.here.mass, at.bilateral) @ self.here.mass
            stepped = np.einsum("kij,kj->ki", allowed, velocities - base) + base
            velocities = np.where(self.step[:, None] > 0.0, stepped, velocities)  # an atom of its own is where it is
        return self._at_ends(velocities, at, velocities)

    @cached_property
    def ending_jacobians(self) -> np.ndarray:
        """Jacobians (K, 3 b, nv) of the speeds u⁺."""
        return self._rows_at_ends(self.here.jacobians, self._geometry(self.last).jacobians)

    @cached_property
    def gained(self) -> np.ndarray:
        """Changes of the normal speeds (K, m) of unilateral constraints in steps without contact: by forces, and by rotation of the
        normals."""
        rows = slice(0, 3 * len(self.motion.model.layout.unilaterals), 3)
        nq = self.motion.model.nq
        forced = self.step[:, None] * np.abs(np.einsum("kcn,kn->kc", self.here.jacobians[:, rows], self.slope))
        unhit = _speeds(self._geometry(self.last), self.last[:, nq:])[:, rows]
        return np.maximum(forced, np.where(self.step[:, None] > 0.0, np.abs(unhit - self.arriving[:, rows]), 0.0))

    def _at_ends(self, velocities: np.ndarray, at: Geometry, bound: np.ndarray) -> np.ndarray:
        """Speeds with the geometry of a step's end in the rows of unilateral constraints."""
        return self._rows_at_ends(self.speeds(velocities), _speeds(at, bound))

    def _rows_at_ends(self, here: np.ndarray, there: np.ndarray) -> np.ndarray:
        """Values (K, 3 b, …) at impacts, with those of unilateral constraints at the end of a step for impulses of whole steps."""
        if not np.any(self.step):
            return here
        result, m = here.copy(), 3 * len(self.motion.model.layout.unilaterals)
        turns = there.shape[1] - m
        shapes = self.motion.model.shapes
        contacts = (result.shape[1] - m - turns) // (2 if shapes is not None and shapes.resists else 1)
        spread = self.step > 0.0
        result[spread, :m] = there[spread, :m]
        result[spread, m + contacts : m + contacts + turns] = there[spread, m:]
        return result

    def _geometry(self, states: np.ndarray) -> Geometry:
        if not np.any(self.step):
            return self.here
        side = 0.5 if states is self.last else -0.5
        return geometry(self.motion, self.times + side * self.step, states)

    def velocity_changes(self, at: Geometry, unilateral: int | None = None) -> np.ndarray:
        """Changes of the velocities (K, nv) by all impulses, given ones included, or by the impulses of one unilateral constraint."""
        rows = slice(None) if unilateral is None else slice(3 * unilateral, 3 * unilateral + 3)
        pushed = np.einsum("krj,kr->kj", at.jacobians[:, rows], self.contact_impulses[:, rows])
        pushed = pushed + self.given if unilateral is None else pushed
        return np.einsum("kij,kj->ki", at.mobility, pushed)


def solver_accuracy(motion: Record) -> float:
    """Relative accuracy of impulses: that which an iteration was asked for, or has reached, with a margin."""
    if motion.method.claims.name not in TIME_STEPPING:
        return instant_limit(motion, IMPULSES_SOLVED)
    reached = STEP_ACCEPTED if motion.contact_solver is None else float(motion.contact_solver.residual.max(initial=0.0))
    return max(IMPULSES_SOLVED, SAFETY * reached)


def impacts(motion: Record) -> Impacts | None:
    """The impacts of a motion with unilateral constraints or given impulses; None without them or if the reactions are not known."""
    model, atoms = motion.model, motion.atoms
    has_any = model.is_bounded or model.layout.impulses
    if not has_any or atoms is None or not model.type.has_graphs or not model.nv:
        return None
    given = np.zeros((len(atoms), model.nv)) if atoms.given is None else atoms.given
    nq, times, met = model.nq, atoms.times, atoms.meetings
    contact_impulses, laws = _contact_impulses(model, atoms), row_laws(model, met, len(times))
    edges = np.asarray(motion.pieces.times)
    left, right = (motion.pieces.state(times, side=side) for side in ("left", "right"))
    changed = np.isin(times, [change.time for change in motion.changes])
    left[changed, :nq] = right[changed, :nq]  # tapes take the charts after an instant
    k = np.clip(np.searchsorted(edges, times, side="left"), 1, len(edges) - 2) if len(times) else np.zeros(0, dtype=int)
    left, right = _in_turn(motion, times, contact_impulses, given, met, left, right)
    unhit = motion.pieces.coefficients_of(k - 1)
    slope = unhit[:, nq:, 1]
    if motion.method.claims.name not in TIME_STEPPING:
        whole = left[:, nq:], right[:, nq:], slope, np.zeros(len(k))
        return Impacts(motion, times, contact_impulses, left, right, *whole, left, left, right, given, met, laws)
    spread = atoms.durations > 0.0
    left[~spread, :nq] = right[
        ~spread, :nq
    ]  # a correction of penetration comes before an impact, and velocities follow it
    left = np.where(spread[:, None], left, recorded_states(motion, times, left))
    before = np.where(spread[:, None], motion.pieces.state(edges[k - 1])[:, nq:], left[:, nq:])
    reached = np.where(spread[:, None], motion.pieces.state(edges[k + 1], side="left"), right)
    after = reached[:, nq:]
    last = horner(unhit, atoms.durations) if len(k) else left
    first = motion.pieces.state(edges[k - 1])
    return Impacts(motion, times, contact_impulses, left, right, before, after, slope, atoms.durations, first, last, reached, given, met,
                  laws)  # fmt: skip


def size_at_impacts(found: Impacts) -> float:
    """The size of the system [m], with rotations at the arms of its contacts."""
    model = found.motion.model
    return size_of(model.layout, found.left[:, : model.nq], found.here.jacobians[:, : 3 * len(found.laws.turns)])


def _speeds(at: Geometry, velocities: np.ndarray) -> np.ndarray:
    return np.einsum("krn,kn->kr", at.jacobians, velocities) + at.drifts


def _contact_impulses(model: Model, atoms: Atoms) -> np.ndarray:
    """Impulses of unilateral constraints and contacts in the order of the rows of `Geometry`, (K, 3 b)."""
    if atoms.meetings is None or model.shapes is None:
        return atoms.contact_impulses
    K, first = len(atoms), 3 * len(model.layout.unilaterals)
    met, own = atoms.meetings, atoms.contact_impulses
    parts = [own[:, :first], padded_rows(met, met.impulses, K), own[:, first:]]
    if model.shapes.resists:
        parts.append(padded_rows(met, met.moments, K))
    return np.concatenate(parts, axis=1)


def geometry(motion: Record, time: np.ndarray, states: np.ndarray, met: Meetings | None = None) -> Geometry:
    """Unilateral constraints, contacts that have been found, and inertia at states (K, n)."""
    model, rows = motion.model, tape_rows(motion, time, states)
    found = evaluate_groups(model.tape("unilaterals"), rows)
    K, nv = len(time), model.nv
    m, kept = found["gaps"].shape[1], len(model.layout.gaps)
    M, G = found["mass_matrix"].reshape(K, nv, nv), found["bilateral"].reshape(K, kept, nv)
    gaps, drifts = found["gaps"], found["drifts"]
    jacobians = found["jacobians"].reshape(K, drifts.shape[1], nv)
    if met is not None and model.shapes is not None:
        theirs = contact_rows(model, rows, met)
        about = [theirs.turn_jacobians] if model.shapes.resists else []
        drift = [theirs.turn_drifts] if model.shapes.resists else []
        gaps = np.concatenate([gaps, theirs.gaps], axis=1)
        jacobians = np.concatenate([jacobians[:, : 3 * m], theirs.jacobians, jacobians[:, 3 * m :], *about], axis=1)
        drifts = np.concatenate([drifts[:, : 3 * m], theirs.drifts, drifts[:, 3 * m :], *drift], axis=1)
    return Geometry(gaps, jacobians, drifts, M, G, mobility(M, G))


def mobility(M: np.ndarray, G: np.ndarray) -> np.ndarray:
    r"""Inverse inertia on the velocities with G v = 0, (K, nv, nv). Dependent rows change nothing.

    .. math:: M^{-1} - M^{-1} G^T (G M^{-1} G^T)^+ G M^{-1}
    """
    inverse = np.linalg.inv(M) if len(M) else M
    if not G.shape[1]:
        return inverse
    held = G @ inverse
    inner = np.linalg.pinv(held @ np.swapaxes(G, 1, 2), rcond=DEPENDENT_GRAM, hermitian=True)
    return inverse - np.swapaxes(held, 1, 2) @ inner @ held


def may_be_in_turn(found: Impacts) -> np.ndarray:
    """Whether impacts may be sequential, (K, 1): a gap that is closed if it was closed before may have flown that low, and steps take a gap
    as closed that forces would close within them, or nearly so."""
    normal = found.here.jacobians[:, found.normals]
    pulls = np.abs(np.einsum("kcn,kn->kc", normal, found.slope)).max(axis=1, keepdims=True, initial=0.0)
    step = found.step[:, None]
    way = step * np.abs(found.arriving[:, found.normals]) + step**2 * pulls
    touches = found.impulses.any(axis=2) | (found.here.gaps <= way + TOUCHING * size_at_impacts(found))
    return np.any(touches & found.laws.in_turn, axis=1, keepdims=True)


def _in_turn(motion: Record, times, contact_impulses, given, met, left, right) -> tuple[np.ndarray, np.ndarray]:
    """States on both sides of impacts at one instant, each after the previous one.

    A motion does not contain the state before an impact at its very beginning. It is computed from the impulses.
    """
    nq = motion.model.nq
    together, first = np.flatnonzero(np.diff(times) == 0.0), np.flatnonzero(times <= motion.pieces.begin)
    if not len(together) and not len(first):
        return left, right
    at = geometry(motion, times, motion.model.on_charts(left), met)
    pushed = np.einsum("krj,kr->kj", at.jacobians, contact_impulses) + given
    made = np.einsum("kij,kj->ki", at.mobility, pushed)
    left, right = left.copy(), right.copy()
    left[first, nq:] -= made[first].sum(axis=0)
    for k in together:
        left[k + 1, nq:] = right[k, nq:] = left[k, nq:] + made[k]
    return left, right


def coordinate_rates(found: "Impacts", q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """q̇ = N(q) v (K, nq) at the instants of impacts."""
    rows = tape_rows(found.motion, found.times, np.concatenate([q, v], axis=1))
    return evaluate_groups(found.motion.model.tape("rates"), rows)["q_dot"]
