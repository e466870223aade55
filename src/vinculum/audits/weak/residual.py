"""The weak form of the equations of motion for random test fields: one equation for smooth motion, impacts and loops."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple, final

import numpy as np

from vinculum.audits.by_type import AUDITS
from vinculum.audits.impacts.least_slips import least_slips
from vinculum.audits.impacts.lines import in_place
from vinculum.audits.impacts.seen_impacts import TIME_STEPPING, Impacts, impacts
from vinculum.audits.impacts.time_stepping import corrections, unseen_changes
from vinculum.audits.weak.closing_moves import closing_moves, stopped_slips
from vinculum.audits.weak.fields import VirtualField, random_fields
from vinculum.audits.weak.paths import Corner, Path, paths_of
from vinculum.audits.weak.rest import resting_speed
from vinculum.audits.weak.steps import StepErrors, step_errors
from vinculum.audits.weak.turns import middles_of_steps
from vinculum.audits.weak_result import WeakResidual
from vinculum.errors import MethodError, shorten
from vinculum.motion.frames.carried import relative_record
from vinculum.motion.motion import Motion
from vinculum.motion.record import Record
from vinculum.tolerances.certificates import IMPULSES_SOLVED, NEGLIGIBLE_FIELD, SAFETY, WEAK_METHOD_SAFETY
from vinculum.tolerances.functions import ASIDE
from vinculum.tolerances.round_off import ROUND_OFF
from vinculum.tolerances.sizes import MOST_FIELDS

GAUSS_PLACES = 0.5 + 0.5 * np.array([-np.sqrt(0.6), 0.0, np.sqrt(0.6)])
GAUSS_WEIGHTS = np.array([5.0, 8.0, 5.0]) / 18.0


@final
@dataclass(frozen=True, eq=False)
class Weighed:
    """The weak form for one field [W s]: its value, the value without known errors of the method, the size of its terms, its tolerance.

    ``mass_input``, ``mass_tolerance``: relative; ``powers`` (K, 3 m): virtual powers of the impulses in the support; ``noise``:
    relative round-off.
    """

    total: float
    explained: float
    size: float
    tolerance: float
    mass_input: float
    mass_tolerance: float
    powers: np.ndarray
    noise: float


class Near(NamedTuple):
    """The support of a field, the indices of impacts, of impacts with their half steps, of moves and of slips that stop in it, and their
    corners."""

    low: float
    high: float
    hit: np.ndarray
    late: np.ndarray
    moves: np.ndarray
    stops: np.ndarray
    corners: list[list[Corner]]


def weak_residual(motion: Motion, fields: int = 200, seed: int = 0) -> WeakResidual:
    """Residual of the weak form of the equations of motion for ``fields`` random test fields, most of them around
    impacts.

    >>> system = vc.System("pendulum", gravity=(0, 0, -9.81))
    >>> bob = system.add(vc.MassPoint("bob", mass=0.5))
    >>> hinge = system.add(vc.Revolute("hinge", "ground", bob, axis=(0, 1, 0), to=(0, 0, 0.3)))
    >>> motion = vc.simulate(system, until=1.0, start={"hinge": 0.2}, method="dop853")
    >>> bool(np.abs(vc.measures.weak_residual(motion, fields=20).values).max() < 1e-9)
    True
    """
    check_fields(fields, seed)
    record = relative_record(motion.record)
    return AUDITS.of(record.model).weak_residual(record, int(fields), seed)


def check_fields(fields, seed) -> None:
    """Refuse an invalid number of test fields or an invalid seed."""
    if isinstance(fields, bool) or not isinstance(fields, (int, np.integer)) or fields < 1:
        raise MethodError(f"fields {shorten(fields)} must be a whole number ≥ 1 of test fields")
    if fields > MOST_FIELDS:
        raise MethodError(
            f"fields {shorten(fields)} are more than {MOST_FIELDS}; use fewer, several times with different seeds"
        )
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or seed < 0:
        raise MethodError(f"seed {shorten(seed)} must be a whole number ≥ 0, from which the test fields are drawn")


def weak_residual_of_bodies(motion: Record, fields: int, seed: int) -> WeakResidual:
    """The weak form on a motion whose equations are written out; others are refused."""
    check_testable(motion)
    return residual_against_random_fields(Weak(motion, impacts(motion)), fields, seed)


def residual_against_random_fields(known: "Weak", fields: int, seed: int) -> WeakResidual:
    """Residual of the weak form for ``fields`` random test fields."""
    chosen = random_fields(known.motion, known.found, fields, np.random.default_rng(seed))
    each = known.of(chosen)
    largest = max(one.size for one in each)
    sizes = np.maximum([one.size for one in each], NEGLIGIBLE_FIELD * largest)
    values, explained, tolerances = (
        np.array([(one.total, one.explained, one.tolerance + one.noise * largest) for one in each]).T / sizes
    )
    mass, admitted = np.array([(one.mass_input, one.mass_tolerance) for one in each]).T
    centers, widths = (np.array([getattr(field, name) for field in chosen]) for name in ("center", "width"))
    joints = tuple(field.joints for field in chosen)
    return WeakResidual(values, explained, tolerances, mass, admitted, centers, widths, joints)


def check_testable(motion: Record) -> None:
    """Refuse motions whose virtual velocities are not functions of positions, or not available."""
    model = motion.model
    model.check_written_out("weak residuals")
    if not model.layout.virtual:
        raise MethodError(
            f"system '{model.name}': the weak form needs virtual velocities that depend on positions alone, and a constraint that is "
            "nonlinear in the velocities or part of the Lagrangian has none; use motion.audit() instead"
        )
    if model.tree is None and "virtual" not in model.tapes:
        raise MethodError(
            f"'{model.name}' is a loaded run without unilateral constraints, and has no stored virtual powers; simulate it again"
        )
    if model.nv == 0:
        raise MethodError(f"system '{model.name}' has no velocities, so there is no virtual one to test it with")


@final
class Weak:
    """The weak form on one motion, with the data that all fields share."""

    def __init__(self, motion: Record, found: Impacts | None):
        self.motion, self.found = motion, found
        self.edges = np.asarray(motion.pieces.times)
        self.times = found.times if found is not None else np.zeros(0)
        self.stopped = np.zeros(0)
        self.moved, self.half, self.unseen = np.zeros(0), 0.0, np.zeros((2, 0, motion.model.nv))
        self.steps: StepErrors | None = None
        self.middles: np.ndarray | None = None
        self.cut, self.missing, self.placed = np.inf, 0.0, np.zeros(0, dtype=bool)
        self.tails = dense_output_errors(motion)
        self.least = least_slips(found) if found is not None else np.zeros((0, motion.model.nv))
        if motion.method.claims.name in TIME_STEPPING:
            self.steps = step_errors(motion)
            self.middles = middles_of_steps(motion)
            begin = self.steps.times[-2]
            self.missing = max(0.0, (motion.method.step or 0.0) - (self.edges[-1] - begin))
            self.cut = begin if self.missing > 0.0 else np.inf
            if found is not None and len(found):
                moved = corrections(motion, found)
                self.moved, self.unseen = moved.times[moved.excess == 0.0], unseen_changes(motion, found)
                self.half, self.placed = 0.5 * float(found.step.max()), in_place(found)
        elif not motion.changes:
            self.moved, self.stopped = closing_moves(motion), stopped_slips(motion)

    def of(self, fields: Sequence[VirtualField]) -> list[Weighed]:
        """The weak form for each of the fields."""
        near = [self._near(field) for field in fields]
        corners = [[corner for group in one.corners for corner in group] for one in near]
        paths = paths_of(self.motion, fields, corners, self.middles)
        return [self._weigh(*each) for each in zip(fields, near, paths, strict=True)]

    def _near(self, field: VirtualField) -> Near:
        low, high = field.center - field.width, field.center + field.width
        hit, moves = self._inside(self.times, max(low, self.edges[0]), high), self._inside(self.moved, low, high)
        late = self._inside(self.times, low - self.half, high + self.half) if self.unseen.size else hit[:0]
        stops = self._inside(self.stopped, low, high)
        return Near(low, high, hit, late, moves, stops, self._corners(low, high, hit, late, moves, stops))

    def _weigh(self, field: VirtualField, near: Near, path: Path) -> Weighed:
        low, high, hit, late, moves, stops, corners = near
        places = np.cumsum([len(path.time) - sum(map(len, corners)), *map(len, corners)])
        ends, hits, lates, moved, stopped = (np.arange(a, b) for a, b in pairwise(places))
        joints = self._joints(field)
        size, w_size, w_dot_size, held = path.sizes(joints)
        defect = path.defect()
        total, gross = -path.weights @ defect, path.weights @ size
        rough = abs(total + path.coarse @ defect)
        total, gross, mass = self._with_ends(path, ends, low, high, total, gross)
        turned, unsure = self._rotation_effects(path, held, field)
        mass += float(turned[1])
        found = self.found
        explained, method, powers, given_impulses = float(turned[0]), 0.0, np.zeros((0, 3)), np.zeros(0)
        if found is not None and len(hit):
            powers, given_impulses, method, solved = self._impact_powers(path.w[hits], hit)
            rough += solved
            total -= float(powers.sum() + given_impulses.sum())
            gross += float(np.abs(powers).sum() + np.abs(given_impulses).sum())
            explained -= float(np.einsum("kij,kj,ki->", found.here.mass[hit], self.least[hit], path.w[hits]))
        if len(late):
            explained += self._unseen_power(path.w[lates], late)
        if len(moves):
            leapt = np.einsum("tn,tn->t", path.momenta[moved], path.w[moved])
            explained -= float((leapt[1::2] - leapt[::2]).sum())
            mass -= float((path.phi[moved[1::2]] - path.phi[moved[::2]]).sum())
        if len(stops):
            leapt = np.einsum("tn,tn->t", path.momenta[stopped], path.w[stopped])
            explained -= float((leapt[1::2] - leapt[::2]).sum())
        if self.steps is not None:
            method += self.steps.within(low, high, path.roots, joints, w_size, w_dot_size)
        gross = max(float(gross), np.finfo(float).tiny)
        noise, claimed = method_errors(self.motion, self.tails, low, high, self.steps is not None)
        tolerance = gross * (noise + claimed) + SAFETY * rough + WEAK_METHOD_SAFETY * method + unsure[0]
        scale = max(float(path.weights @ np.abs(path.phi_dot)), np.finfo(float).tiny)
        passing = (SAFETY * abs((path.weights - path.coarse) @ path.phi_dot) + unsure[1]) / scale
        passing += (noise + claimed) * (1.0 + float(np.linalg.norm(field.tilt)) * path.far)
        return Weighed(total, total + explained, gross, tolerance, mass / scale, passing, powers, noise)

    def _rotation_effects(self, path: Path, held: np.ndarray, field: VirtualField) -> tuple[np.ndarray, np.ndarray]:
        """Effects of rotating coordinates on the weak form and on the mass input, and their tolerances: quadrature, the error of a
        difference quotient, round-off of its values, and a last step of which only a part is kept. Displacements y that close loops within
        steps begin and end with them, so that ∫ B κ · ẏ dt = −∫ Ḃ κ · y dt. Closing changes velocities by other amounts u than ẏ."""
        found = path.turned @ path.weights
        sizes = path.weights @ np.abs(path.turned).T
        values = path.weights @ np.stack([held, np.abs(path.phi) * (1.0 + np.linalg.norm(field.tilt) * path.far)]).T
        unsure = SAFETY * (np.abs(found - path.turned @ path.coarse) + ASIDE * sizes + ROUND_OFF / path.aside * values)
        beside = np.abs(np.flip(np.stack(field.bump(path.time)), axis=0) * path.closing).sum(axis=0)
        unsure[1] += np.linalg.norm(field.tilt) * (path.weights @ beside)
        late = path.turned[:, path.time > self.cut]
        return found, unsure + (WEAK_METHOD_SAFETY * self.missing * np.abs(late).max(axis=1) if late.size else 0.0)

    def _with_ends(self, path: Path, rows, low: float, high: float, total, gross) -> tuple[float, float, float]:
        """Point measures of the initial and final data, section 5, and the mass input."""
        mass = -float(path.weights @ path.phi_dot)
        signs = [-1.0] * int(low < self.edges[0]) + [1.0] * int(high > self.edges[-1])
        for k, sign in zip(rows, signs, strict=True):
            power = float(path.momenta[k] @ path.w[k])
            total, gross, mass = total + sign * power, gross + abs(power), mass + sign * float(path.phi[k])
        return total, gross, mass

    def _impact_powers(self, w: np.ndarray, hit: np.ndarray) -> tuple[np.ndarray, np.ndarray, float, float]:
        """Virtual powers of the impulses (K, 3 m) and of given impulses (K,); the effect of the position for which time stepping computed
        them; and the round-off of M M⁻¹ in them, with the residual of their solution."""
        assert self.found is not None
        found = self.found
        jumps, P = found.jumps[hit], found.contact_impulses[hit]
        powers = np.einsum("krj,kr,kj->kr", found.here.jacobians[hit], P, w)
        given_impulses = np.einsum("ki,ki->k", found.given[hit], w)
        pushed = np.einsum("krj,kr->kj", found.here.jacobians[hit], P)
        again = np.einsum("kij,kjl,kl->ki", found.here.mass[hit], found.here.mobility[hit], pushed, optimize=True)
        solved = float(np.abs(np.einsum("ki,ki->k", again - pushed, w)).sum()) + self._impulse_misfit_power(
            hit, jumps, pushed, w
        )
        if not self.unseen.size:
            return powers, given_impulses, 0.0, solved
        near, here = (
            np.einsum("kij,kj->ki", at.mass[hit], jumps) - np.einsum("krj,kr->kj", at.jacobians[hit], P)
            for at in (found.nearby, found.here)
        )
        doubt = np.where(self.placed[hit], 0.0, np.abs(np.einsum("ki,ki->k", near - here, w)))
        return powers, given_impulses, float(doubt.sum()), solved

    def _impulse_misfit_power(self, hit: np.ndarray, jumps: np.ndarray, pushed: np.ndarray, w: np.ndarray) -> float:
        """Virtual power of M [v] − Hᵀ P − Q at impacts, at most to the accuracy of the impulses. The line of the impulses checks it."""
        assert self.found is not None
        mass, mobility, given = self.found.here.mass[hit], self.found.here.mobility[hit], self.found.given[hit]
        missed = np.abs(np.einsum("ki,ki->k", np.einsum("kij,kj->ki", mass, jumps) - pushed - given, w))
        sizes = [
            np.sqrt(np.maximum(np.einsum("ki,kij,kj->k", x, metric, x), 0.0))
            for x, metric in ((pushed + given, mobility), (w, mass))
        ]
        return float(np.minimum(missed, IMPULSES_SOLVED * sizes[0] * sizes[1]).sum())

    def _unseen_power(self, w: np.ndarray, late: np.ndarray) -> float:
        """Virtual power of the forces that time stepping omits in the half steps before and after impacts."""
        assert self.found is not None
        mean = np.einsum("s,kasn->akn", GAUSS_WEIGHTS, w.reshape(len(late), 2, len(GAUSS_PLACES), -1))
        return float(np.einsum("kij,akj,aki->", self.found.here.mass[late], self.unseen[:, late], mean))

    def _joints(self, field: VirtualField) -> list:
        every = self.motion.model.layout.joints
        bound = bool(self.motion.model.layout.gaps)
        return [(name, entry) for name, entry in every.items()
                if entry.v[1] > entry.v[0] and (bound or name in field.joints)]  # fmt: skip

    def _corners(self, low: float, high: float, hit, late, moves, stops) -> list[list[Corner]]:
        """Ends of the motion inside the support, impacts, nodes in the half steps before and after them, and both sides of moves and of
        slips that stop.

        A correction of penetration comes before an impact at the same instant, and has the velocities before both.
        """
        edges, last = self.edges, len(self.edges) - 2
        ends = [(float(edges[0]), 0, 0)] * int(low < edges[0]) + [(float(edges[-1]), last, last)] * int(
            high > edges[-1]
        )
        places, after_move = np.searchsorted(edges, self.times), np.isin(self.times, self.moved)
        before = [max(0, int(places[j]) - 1) for j in hit]
        hits = [(float(self.times[j]), k + int(after_move[j]), k) for j, k in zip(hit, before, strict=True)]
        halves = [min(last, max(0, int(places[j]) + side)) for j in late for side in (-1, 0)]
        lates = [(float(edges[k] + s * (edges[k + 1] - edges[k])), k, k) for k in halves for s in GAUSS_PLACES]
        steps = np.searchsorted(edges, self.moved[moves])
        moved = [(float(edges[k]), int(k) - side, int(k) - 1) for k in steps for side in (1, 0)]
        steps = np.searchsorted(edges, self.stopped[stops])
        return [ends, hits, lates, moved, [(float(edges[k]), int(k), int(k) - side) for k in steps for side in (1, 0)]]

    @staticmethod
    def _inside(times: np.ndarray, low: float, high: float) -> np.ndarray:
        return np.flatnonzero((times > low) & (times < high))


def method_errors(
    motion: Record, tails: np.ndarray, low: float, high: float, stepped: bool = False
) -> tuple[float, float]:
    """Round-off of states and instants, and the claims of an adaptive method with the error of its dense output inside of steps, for a
    field with this support; infinite for other methods except time stepping. ``tails``: see `dense_output_errors`."""
    edges = np.asarray(motion.pieces.times)
    pieces, claimed = int(np.sum((edges > low) & (edges < high))) + 1, motion.method.claimed
    clock = max(abs(edges[0]), abs(edges[-1])) / (0.5 * (high - low))
    noise = SAFETY**2 * ROUND_OFF * (pieces + 10 + clock)
    if not stepped and not claimed:
        return noise, np.inf
    first, last = np.searchsorted(edges, (low, high)) + (-1, 0)
    tail = float(tails[max(first, 0) : max(last, 0)].max(initial=0.0))
    return noise, SAFETY * (claimed or 0.0) * pieces + tail


def dense_output_errors(motion: Record) -> np.ndarray:
    """The error of the dense output of velocities in every step of an adaptive method, (S,): its last terms, continued as a geometric
    series. It is relative to the velocities of the motion, or to those that forces would give to bodies that contacts keep at rest."""
    if not motion.method.claims.adaptive:
        return np.zeros(len(motion.pieces))
    found, largest, nq = [], 0.0, motion.model.nq
    for edges, coefficients in motion.pieces.blocks():
        order = coefficients.shape[2] - 1
        terms = np.abs(coefficients[:, nq:]).max(axis=1, initial=0.0) * np.diff(edges)[:, None] ** np.arange(order + 1)
        before, last = terms[:, max(order - 1, 0)], terms[:, order]
        falls = np.divide(last, before, out=np.zeros_like(last), where=before > 0.0)
        found.append(last * np.minimum(falls, 1.0))
        largest = max(largest, float(terms.sum(axis=1).max(initial=0.0)))
    return np.concatenate(found) / max(largest, resting_speed(motion), np.finfo(float).tiny)
