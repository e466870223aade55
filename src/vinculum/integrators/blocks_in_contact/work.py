r"""One time step of blocks in contact, with impulses in its middle.

.. math:: q_m = q + \tfrac h2 N(q)\,v,\qquad v' = v + \tfrac h2\bigl(a(q_m, v) + a(q_m, v')\bigr) + M^{-1} H^T P,\qquad
    q' = q_m + \tfrac h2 N(q')\,v'

The contacts, H, M and the forces are those of q_m. The next middle is about q_m + s N v', where s is the mean of this h and the next
one, so the contact law holds for v', as for free bodies. Twists are in the axes of bodies, which turn with ω before the middle and with
ω' after it: the mean of a, not a at the mean of the velocities, keeps momenta through an impact. Moreau, in Nonsmooth Mechanics and
Applications, CISM 302 (1988).

With conditions F(q, t) = 0 and J v = d, a has their reactions, M⁻¹Hᵀ is what they leave of it (see `rows`), and (q', v') is brought onto
them by the smallest change in the metric M. That change is of third order in smooth motion. Contacts hold for v' after it.
"""

from typing import NamedTuple, final

import numpy as np

from vinculum.collision.arrays import Contacts, Polyhedra, Shapes
from vinculum.collision.beneath import depths_by_surface, rays_of
from vinculum.collision.narrow_phase.choice import phase_of
from vinculum.collision.narrow_phase.entry import entry_of
from vinculum.compile.memory import check_room
from vinculum.contact.blocks.placing import (
    gather_velocities,
    invert_masses,
    place_shapes,
    scatter_velocities,
    stretch_reaches,
)
from vinculum.contact.blocks.resistance import record_moments, write_resistance
from vinculum.contact.blocks.rows import (
    close_gaps,
    entries_of_rows,
    least_speeds,
    let_immovable_be,
    write_laws,
    write_rows,
)
from vinculum.contact.free_bodies.arrays import LISTED, MARGIN, RECORDED, Memory
from vinculum.contact.free_bodies.closings import PLAIN, WATCHED, WITHHELD
from vinculum.contact.free_bodies.contacts import find_contacts
from vinculum.contact.free_bodies.pair_lists import empty_pairs, grow_pairs
from vinculum.contact.free_bodies.steps import PUSHES
from vinculum.contact.free_bodies.warm_start import record_contacts, remember_impulses, restore_pairs, warm_start
from vinculum.contact.sparse.admitted_work import residual_work
from vinculum.contact.sparse.arrays import (
    Bodies,
    ContactProblem,
    ContactRows,
    Copies,
    Iterate,
    Pace,
    Partition,
    Resistance,
    Settings,
    Sides,
    Solver,
    Team,
    no_resistance,
)
from vinculum.contact.sparse.block_rows import weigh_sides
from vinculum.contact.sparse.finisher import Finisher
from vinculum.contact.sparse.gauss_seidel import ALONE, FIRST, solve
from vinculum.contact.sparse.impulses import replace_impulses
from vinculum.contact.sparse.packed_spheres import aligned_zeros
from vinculum.contact.sparse.thread_pair import new_board
from vinculum.errors import RunError
from vinculum.integrators.blocks_in_contact.closings import approaches, closes_soon, let_pass, withhold
from vinculum.integrators.blocks_in_contact.fixed_points import next_iterate
from vinculum.integrators.blocks_in_contact.tables import BlockTables, meeting_of
from vinculum.models.blocks_in_contact.type import block_shapes_of
from vinculum.models.model import Model
from vinculum.models.tabled.type import tabled_in
from vinculum.tolerances.contact import (
    DEPENETRATION_RESIDUAL,
    PARTINGS,
    SLACK,
    SWEEPS_AFTER_RENEWAL,
    TOUCH,
    UNEVEN,
)
from vinculum.tolerances.round_off import NEXT_TO_ZERO
from vinculum.tolerances.sizes import FREE_BODIES_RECORD
from vinculum.tolerances.steps import (
    CONVERGED,
    IMPLICIT_ITERATIONS,
    NEARLY_CONVERGED,
    PLAIN_ITERATIONS,
    POINTS_KEPT,
)
from vinculum.tolerances.time_stepping import FORCE_ROUNDS, SOUGHT

DONE, MISSED, INFINITE, UNSETTLED, OPENED, HIT = 0, 1, 2, 3, 4, 5
"""How a step ends: well, with impulses that miss their tolerance, with numbers that are not finite, with forces that do not converge,
with conditions that cannot be kept, or before it began, as something may be hit in it."""


class Step(NamedTuple):
    """A step: its beginning and length [s], the mean of its length and the next [s], and coordinates and velocities before it; ``impacts``,
    ``swift``: what it does with impacts of their own, as in `contact.free_bodies.closings`."""

    t: float
    h: float
    span: float
    q: np.ndarray
    v: np.ndarray
    impacts: int = PLAIN
    swift: float = np.inf

    @property
    def middle(self) -> float:
        """The instant in its middle [s]."""
        return self.t + 0.5 * self.h


class Report(NamedTuple):
    """Statistics of the contact solver in a step, as in `ContactSolver`."""

    residual: float
    sweeps: int
    contacts: int
    penetration: float
    moved: float
    residual_work: float
    finished: int


class StepResult(NamedTuple):
    """The result of a step: how it ended, the coordinates in its middle (nq,), coordinates and velocities at its end, and its report."""

    status: int
    middle: np.ndarray
    q: np.ndarray
    v: np.ndarray
    report: Report


class End(NamedTuple):
    """The end of a step: its coordinates (nq,), how much conditions change the velocities there (nv,), and whether they are kept."""

    q: np.ndarray
    closing: np.ndarray
    kept: bool = True


class StepContacts(NamedTuple):
    """The m contacts of a step: with gaps after penetration was removed, the coordinates of its ``middle`` then, smallest normal
    velocities (m,), μ (m,), and effective masses 1/w of the normal and of the stiffest tangent (m, 2). ``resistance`` and
    ``turned``: triples of moments, and their effective masses."""

    contacts: Contacts
    middle: np.ndarray
    targets: np.ndarray
    cones: np.ndarray
    weights: np.ndarray
    resistance: Resistance
    turned: np.ndarray


@final
class BlocksWork:
    """Blocks during a run. ``centers`` and ``axes``: of the shapes that move, where they were placed last."""

    def __init__(self, model: Model, values: np.ndarray):
        self._model, self.shapes = model, block_shapes_of(model)
        shapes, moving, total = self.shapes, self.shapes.moving, len(self.shapes.kinds)
        self.tables = BlockTables(tabled_in(model), shapes, values)
        self._is_piecewise = tabled_in(model).is_piecewise
        self._meeting, self._resists = meeting_of(shapes), bool(np.any(shapes.laws[:, 2:] > 0.0))
        self._quaternions = np.array([range(*place) for place in model.layout.quaternions], dtype=np.int64).reshape(
            -1, 4
        )
        center = np.concatenate([np.zeros((moving, 3)), shapes.places])
        turn = np.concatenate([np.tile(np.eye(3), (moving, 1, 1)), shapes.turns])
        self._placed = Shapes(center, turn, shapes.kinds, shapes.sizes, shapes.reaches.copy())
        self._velocity = np.zeros((total, 8))
        self._address = phase_of(shapes.kinds)
        self._polyhedra = Polyhedra(*shapes.pool.solids, shapes.pool.surfaces)
        self._rays = rays_of(shapes.pool)
        small = float(shapes.reaches[:moving].min())
        self.touch, self._slack = TOUCH * small, SLACK * small
        rows = len(self.tables.blocks.state)
        self._free, self._before, self._D = (aligned_zeros((rows, 8)) for _ in range(3))
        self._V, self._people = aligned_zeros((rows, 8)), np.arange(rows)
        self._counts = np.array([0.0, -1.0, 0.0])
        self._team, self._sums, self._finisher = new_board(), np.zeros((3, 3, 8)), Finisher()
        self._wide = FREE_BODIES_RECORD + 3 * self._resists
        self._pressed = np.empty((8 * total + 64, self._wide))
        self._pairs = empty_pairs(moving, total, 8 * total + 64)
        self._make_room(8 * total + 64)
        self._make_rows(64 * (8 * total + 64))
        self._last = np.zeros(model.nv)

    @property
    def centers(self) -> np.ndarray:
        return self._placed.center[: self.shapes.moving]

    @property
    def axes(self) -> np.ndarray:
        return self._placed.turn[: self.shapes.moving]

    def begin(self) -> None:
        """Forget the recorded contacts, which have been taken out."""
        self._counts[RECORDED] = 0.0

    def pressing_contacts(self) -> np.ndarray:
        """Active contacts since `begin`, (C, 12): step, both shapes, position, normal and impulse in world axes; (C, 15) with moments if
        some contacts resist rolling or spinning."""
        return self._pressed[: int(self._counts[RECORDED])].copy()

    def step(self, number: int, step: Step, settings: Settings) -> StepResult:
        """Take a step; its contacts are recorded under its ``number``."""
        h, q, v = step.h, step.q, step.v
        middle, a, settled = self._free_motion(step)
        after = v + h * a
        m = self._find_contacts(middle, after, step.middle, max(h, step.span)) if np.all(np.isfinite(after)) else 0
        report, closing = Report(0.0, 0, m, 0.0, 0.0, 0.0, 0), np.zeros_like(v)
        if not settled:
            return StepResult(UNSETTLED, middle, q, v, report)
        if m:
            problem = self._problem(m, v, h)
            if step.impacts == WATCHED and closes_soon(
                self._approaches(problem, m, after), self._contacts.gap[:m], step
            ):
                restore_pairs(self._pairs, self._counts)
                return StepResult(HIT, middle, q, v, report)
            if step.impacts == WITHHELD:
                let_pass(self._contacts.gap[:m], self._approaches(problem, m, after), step)
            middle, depth, moved = self._push_apart(problem._replace(m=m), middle, step.middle)
            self._set_targets(problem, m, after, step)
            after, closing, a, (error, sweeps, finished) = self._solve(problem, middle, step, a, settings)
            work = residual_work(problem, self._iterate, self._copies.old.P)
            report = Report(error, sweeps, m, depth, moved, float(work), finished)
            if not error <= settings.tolerance:
                restore_pairs(self._pairs, self._counts)
                return StepResult(MISSED, middle, q, v, report)
        elif self.tables.is_conditioned:
            after, closing, a = self._settle(middle, step, a)
        end = self._end(middle, after, closing, step)
        if not end.kept:
            restore_pairs(self._pairs, self._counts)
            return StepResult(OPENED, middle, q, v, report)
        if m:
            remember_impulses(m, h, self._contacts, self._P, self._memory)
            self._record(number, m, h)
        self._last, after = a, after + end.closing
        status = DONE if np.all(np.isfinite(end.q)) and np.all(np.isfinite(after)) else INFINITE
        return StepResult(status, middle, end.q, after, report)

    @property
    def recorded(self) -> int:
        """How many contacts are recorded since `begin`."""
        return int(self._counts[RECORDED])

    def forget(self, recorded: int) -> None:
        """Forget contacts that are recorded after so many."""
        self._counts[RECORDED] = recorded

    def forget_impulses(self) -> None:
        """Begin the next step without the impulses of the last one."""
        self._memory.P[:] = 0.0

    @property
    def fastest(self) -> float:
        """The largest speed [m/s] of a shape where contacts were found last."""
        return float(np.linalg.norm(self._velocity[: self.shapes.moving, :3], axis=1).max(initial=0.0))

    def closing(self, q: np.ndarray, v: np.ndarray, t: float, d: float) -> tuple[np.ndarray, np.ndarray]:
        """Gaps and separation velocities (m,) of contacts at a state that may close within d [s]."""
        m, found = self._find_contacts(q, v, t, d), (np.zeros(0), np.zeros(0))
        if m:
            problem = self._problem(m, v, d)
            found = self._contacts.gap[:m].copy(), approaches(m, problem.rows.sides, self._before, self._before)
        restore_pairs(self._pairs, self._counts)
        return found

    def contacts_of_step(self, step: Step) -> StepContacts:
        """The contacts of a step, without impulses."""
        middle, a, _settled = self._free_motion(step)
        after = step.v + step.h * a
        m = self._find_contacts(middle, after, step.middle, max(step.h, step.span))
        if m:
            problem = self._problem(m, step.v, step.h)
            middle = self._push_apart(problem._replace(m=m), middle, step.middle)[0]
            self._set_targets(problem, m, after, step)
        contacts, triples = Contacts(*(part[:m].copy() for part in self._contacts)), slice(m, self._total if m else m)
        resistance = Resistance(*(part[triples].copy() for part in self._sides.resistance))
        return StepContacts(
            contacts, middle, self._targets[:m].copy(), self._cones[:m].copy(), self._weight[:m].copy(), resistance,
            self._weight[triples].copy(),
        )  # fmt: skip

    def _free_motion(self, step: Step) -> tuple[np.ndarray, np.ndarray, bool]:
        """Coordinates in the middle of a step, accelerations there without impulses, and whether these converged."""
        middle = self.on_charts(step.q + 0.5 * step.h * self.tables.coordinate_rates(step.q, step.v, step.t))
        self.tables.write_damping(middle, step.v, step.middle, step.h)
        return middle, *self._accelerate(middle, step, np.zeros_like(step.v), self._last)

    def _approaches(self, problem: ContactProblem, m: int, after: np.ndarray) -> np.ndarray:
        """The larger of the separation velocities (m,) before a step and at its end without impulses."""
        gather_velocities(self.tables.blocks, after, self._free)
        return approaches(m, problem.rows.sides, self._before, self._free)

    def _set_targets(self, problem: ContactProblem, m: int, after: np.ndarray, step: Step) -> None:
        gather_velocities(self.tables.blocks, after, self._free)
        least_speeds(problem, self._contacts.gap, self._ratios, self.touch, step.span, self._before, self._free)
        if step.impacts > WATCHED:
            u = approaches(m, problem.rows.sides, self._before, self._free)
            withhold(self._targets[:m], self._contacts.gap[:m], u, self.touch, step)
        let_immovable_be(problem, self._free)

    def _settle(self, middle: np.ndarray, step: Step, a: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Velocities after a step without contacts, how conditions change them at its end, consistent with the forces in the step, and
        accelerations."""
        h, v, closing, last = step.h, step.v, np.zeros_like(step.v), np.inf
        for _ in range(FORCE_ROUNDS):
            a, _settled = self._accelerate(middle, step, closing, a)
            end = self._end(middle, v + h * a, closing, step)
            left, size = (float(np.abs(x).max(initial=0.0)) for x in (end.closing - closing, v + h * a))
            closing = end.closing
            if not end.kept or left <= NEARLY_CONVERGED * size or not left < last:
                break
            last = left
        return v + h * a, closing, a

    def _solve(self, problem: ContactProblem, middle: np.ndarray, step: Step, a: np.ndarray, settings: Settings):
        """Velocities after impulses that are consistent with the forces they change in the same step, how conditions change them at its
        end, accelerations, and residual, sweeps and the finisher's flag."""
        blocks, sweeps, finished, error, tolerance = self.tables.blocks, 0, 0, np.inf, settings.tolerance
        h, v, listed, damping = step.h, step.v, int(self._counts[LISTED]), self.tables.damping
        free, closing = v + h * a, np.zeros_like(v)
        self._V[:], self._P[: problem.m], self._copies.old.P[: problem.m] = self._free, 0.0, 0.0
        warm_start(problem, self._iterate, h, self._contacts, self._pairs, listed, self._memory, self._copies.old.P)
        for _ in range(FORCE_ROUNDS):
            error, more, flag = self._sweep(problem, settings)
            sweeps, finished = sweeps + more, max(finished, flag)
            made, changed = self._V - self._free, np.zeros_like(v)
            scatter_velocities(blocks, made, changed)
            change = damping.without_forces(changed)
            a, _settled = self._accelerate(middle, step, change + closing, a)
            if self.tables.is_conditioned:
                closing = self._end(middle, v + h * a + change, closing, step).closing
            last, free = free, v + h * a + change - changed + closing
            apart, size = (np.abs(x).max(initial=0.0) for x in (free - last, np.concatenate([h * a, change])))
            gather_velocities(blocks, free, self._free)
            np.add(self._free, made, out=self._V)
            if not error <= tolerance:
                break
            if apart <= tolerance * size:
                error = float(solve(problem, self._iterate, self._solver(problem.m, Settings(tolerance, 0)))[0])
                if error <= tolerance:
                    break
        after = v + h * a + closing
        scatter_velocities(blocks, self._V, after)
        return after - closing, closing, a, (error, sweeps, finished)

    def _sweep(self, problem: ContactProblem, settings: Settings) -> tuple[float, int, int]:
        """Residual, sweeps and the finisher's flag of impulses whose velocities are recomputed from them, so that no round-off is left."""
        total, finished, error, (tolerance, most) = 0, 0, np.inf, settings
        for _ in range(SWEEPS_AFTER_RENEWAL):
            solver = self._solver(problem.m, Settings(SOUGHT * tolerance, most))
            error, sweeps, flag = solve(problem, self._iterate, solver)
            self._finisher.check()
            total, finished = total + int(sweeps), max(finished, int(flag))
            kept = self._P[: problem.m].copy()
            self._V[:], self._P[: problem.m] = self._free, 0.0
            replace_impulses(problem, self._iterate, kept)
            if not sweeps or not error <= tolerance:
                break
            error = solve(problem, self._iterate, self._solver(problem.m, Settings(tolerance, 0)))[0]
            if error <= tolerance:
                break
        return float(error), total, finished

    def _solver(self, m: int, settings: Settings) -> Solver:
        parts = Partition(self._order, self._people, np.array([m, m, len(self._people), m]), None, None)
        team = Team(FIRST, ALONE, self._team, self._sums, parts)
        limits = Settings(settings.tolerance, np.int64(settings.most))
        return Solver(team, limits, self._copies, self._finisher.entry)

    def _problem(self, m: int, v: np.ndarray, h: float) -> ContactProblem:
        """The contact problem at the contacts that were found last, without its targets."""
        tables, rows = self.tables, self._write_rows(m)
        write_laws(m, self._contacts, self._meeting, self._cones, self._ratios)
        gather_velocities(tables.blocks, v, self._before)
        nothing = Bodies(np.zeros(0), np.zeros(0))
        problem = ContactProblem(
            self._total, False, rows, nothing, self._cones, self._targets, Pace(self._before, h * self.shapes.pull)
        )
        self._finisher.at(problem, self._iterate, self._copies.trial.P)
        return problem

    def _write_rows(self, m: int) -> ContactRows:
        """The rows of the contacts that were found last, for the blocks where they are now."""
        tables = self.tables
        wrong = int(invert_masses(tables.Z, tables.blocks))
        if wrong >= 0:
            body = list(self._model.layout.bodies)[int(np.argmax(tables.block_of_body == wrong))]
            raise RunError(
                f"the mass matrix of the block with body '{body}' is singular in its present position; start elsewhere"
            )
        tables.damping.add_forces(tables.blocks.inverse)
        tables.write_conditions()
        resistance = self._sides.resistance
        total = self._total = (
            int(write_resistance(m, self._contacts, self._meeting, resistance)) if self._resists else m
        )
        needed = entries_of_rows(total, self._contacts, tables.held, resistance)
        if needed > len(self._sides.H):
            self._check_room(m, needed)
            self._make_rows(2 * needed)
        write_rows(total, self._contacts, tables.held, self._sides)
        rows = ContactRows(self._contacts.who, self._contacts.frame, None, None, self._sides, self._W, self._weight)
        weigh_sides(total, rows)
        return rows

    def _push_apart(self, problem: ContactProblem, middle: np.ndarray, t: float) -> tuple[np.ndarray, float, float]:
        """Coordinates moved by the smallest displacement in the metric of masses and damping that removes penetration to first order; the
        depth before it [m], and the largest displacement [m]. Gaps are changed with it."""
        m, gap = problem.m, self._contacts.gap
        depth = max(0.0, -float(gap[:m].min()))
        if depth <= self._slack:
            return middle, depth, 0.0
        still = self._sides._replace(drift=np.zeros_like(self._sides.drift))
        self._targets[:m], self._P[:m], self._D[:] = -gap[:m], 0.0, 0.0
        parted = problem._replace(
            rows=problem.rows._replace(sides=still),
            cones=np.zeros_like(self._cones),
            pace=Pace(np.zeros_like(self._D), depth),
        )
        let_immovable_be(parted, self._D)
        solve(
            parted, Iterate(self._P, self._D), self._solver(m, Settings(DEPENETRATION_RESIDUAL, int(PUSHES * UNEVEN)))
        )
        self._finisher.check()
        close_gaps(parted, gap, self._D)
        d = np.zeros(self._model.nv)
        scatter_velocities(self.tables.blocks, self._D, d)
        change = self.tables.coordinate_rates(middle, d, t) - self.tables.coordinate_rates(middle, 0.0 * d, t)
        moved = self.on_charts(middle + change)
        self.tables.write_blocks(moved, 0.0 * d, t)
        self._write_rows(m)
        return moved, depth, float(np.abs(change).max())

    def _accelerate(self, q: np.ndarray, step: Step, change: np.ndarray, a: np.ndarray) -> tuple[np.ndarray, bool]:
        """The mean of the accelerations for the velocities before and after a step with a velocity ``change`` by impulses, from the guess
        ``a``, and whether they converged."""
        h, v, older, last = step.h, step.v, np.inf, np.inf
        begun, points, defects = self.tables.accelerations(q, v, step.middle), [], []
        for k in range(IMPLICIT_ITERATIONS):
            b = 0.5 * (begun + self.tables.accelerations(q, v + h * a + change, step.middle))
            size = max(*(np.abs(x).max(initial=0.0) for x in (v, h * b, change)), NEXT_TO_ZERO)
            left = float(np.abs(h * (b - a)).max(initial=0.0)) / size
            if left <= CONVERGED or (left <= NEARLY_CONVERGED and k > 1 and left >= older):
                return b, True
            if not np.isfinite(left):
                break
            older, last = last, left
            defect = self.tables.damping.with_forces(b - a)
            points, defects = [*points, a][-POINTS_KEPT:], [*defects, defect][-POINTS_KEPT:]
            a = next_iterate(points, defects) if k >= PLAIN_ITERATIONS else a + defect
        return a, last <= NEARLY_CONVERGED or self._is_piecewise

    def _end(self, middle: np.ndarray, after: np.ndarray, closing: np.ndarray, step: Step) -> End:
        """The end of a step: q = q_m + h/2 N(q) v, brought onto all conditions. ``after``: velocities without what conditions change at the
        end; ``closing``: about how much that is."""
        v, h, t = after + closing, step.h, step.t + step.h
        q, last = middle, np.inf
        size = max(1.0, float(np.abs(middle).max(initial=0.0)))
        for _ in range(IMPLICIT_ITERATIONS):
            new = self.on_charts(middle + 0.5 * h * self.tables.coordinate_rates(q, v, t))
            left = float(np.abs(new - q).max(initial=0.0)) / size
            q = new
            if left <= CONVERGED or (left <= NEARLY_CONVERGED and left >= last) or not np.isfinite(left):
                break
            last = left
        if not self.tables.is_conditioned:
            return End(q, closing)
        q, kept = self._close(q, t)
        return End(q, self.tables.closing_change(q, after, t), kept)

    def _close(self, q: np.ndarray, t: float) -> tuple[np.ndarray, bool]:
        """The nearest coordinates on all conditions, and whether there are some."""
        return self.tables.put_on_conditions(self._model, q, t)

    def _check_room(self, m: int, entries: int) -> None:
        """Refuse rows that take more memory than is free."""
        widest = int(self.tables.held.groups.count.max())
        what = f"system '{self._model.name}': the rows of {m} contacts between blocks of up to {widest} velocities that conditions join"
        check_room(
            what,
            4 * entries * np.float64().nbytes,
            RunError,
            "use fewer contacts, or conditions that join fewer bodies",
        )

    def on_charts(self, q: np.ndarray) -> np.ndarray:
        """Coordinates (nq,) with their quaternions brought back to length one."""
        if len(self._quaternions):
            Q = q[self._quaternions]
            q[self._quaternions] = Q / np.linalg.norm(Q, axis=1, keepdims=True)
        return q

    def _find_contacts(self, q: np.ndarray, v: np.ndarray, t: float, d: float) -> int:
        """The number of contacts at (q, v) that may close within d [s]."""
        tables = self.tables
        tables.write_blocks(q, v, t)
        place_shapes(tables.Z, tables.mounting, tables.carriers, self._placed, self._velocity)
        if stretch_reaches(tables.carriers, self._placed, self.shapes.reaches):
            self._counts[MARGIN] = -1.0  # near pairs are listed anew
        while True:
            entry = entry_of(
                self._address, self._pairs.now, self._placed, self._velocity, self._contacts, self._polyhedra
            )
            room = len(self._contacts.gap)
            count, m = find_contacts(
                d, self._placed, self._meeting, entry, self._velocity, self._pairs, self._counts, room
            )
            if count > len(self._pairs.now.first):
                self._pairs = grow_pairs(self._pairs)
            elif m > room:
                self._grow_contacts()
            else:
                return int(m)

    def contacts_at(self, q: np.ndarray, v: np.ndarray, t: float, d: float) -> Contacts:
        """The contacts at a state that may close within d [s]."""
        m = self._find_contacts(q, v, t, d)
        return Contacts(*(part[:m].copy() for part in self._contacts))

    def penetrations(self, q: np.ndarray, t: float) -> dict[tuple[int, int], float]:
        """Pairs of shapes that penetrate each other, and their depths [m]."""
        found: dict[tuple[int, int], float] = {}
        contacts = self.contacts_at(q, np.zeros(self._model.nv), t, 0.0)
        for c in np.flatnonzero(contacts.gap < 0.0):
            pair = int(contacts.who[c, 0]), int(contacts.who[c, 1])
            found[pair] = max(found.get(pair, 0.0), -float(contacts.gap[c]))
        return found | self._beneath()

    def _beneath(self) -> dict[tuple[int, int], float]:
        """Shapes whose centers are beyond a surface that they meet, and how deep [m]."""
        found, shapes, moving = {}, self.shapes, self.shapes.moving
        for wall, depth in depths_by_surface(self._rays, self._placed.center, moving, shapes.kinds, shapes.sizes):
            meets = shapes.law_of(np.arange(moving), np.full(moving, wall)) >= 0
            found |= {(int(i), wall): float(depth[i]) for i in np.flatnonzero((depth > 0.0) & meets)}
        return found

    def move_apart(self, q: np.ndarray, t: float) -> np.ndarray:
        """Coordinates at which no shape penetrates another, as far as a few displacements can do it."""
        nothing = np.zeros(self._model.nv)
        for _ in range(PARTINGS):
            m = self._find_contacts(q, nothing, t, 0.0)
            if not m or self._contacts.gap[:m].min() >= -0.1 * self._slack:
                break
            q = self._push_apart(self._problem(m, nothing, 0.0)._replace(m=m), q, t)[0]
            q = self._close(q, t)[0] if self.tables.is_conditioned else q
        self._counts[LISTED], self._counts[MARGIN] = 0.0, -1.0
        return q

    def _record(self, number: int, m: int, h: float) -> None:
        if self._counts[RECORDED] + m > len(self._pressed):
            self._pressed = np.concatenate([self._pressed, np.empty((max(m, len(self._pressed)), self._wide))])
        memory, first = self._memory._replace(pressed=self._pressed), int(self._counts[RECORDED])
        record_contacts(number, m, h, self._contacts, self._P, memory, self._counts)
        if self._resists:
            resistance = self._sides.resistance
            record_moments(m, self._total, first, self._contacts, self._P, resistance, self._pressed)

    def _make_room(self, size: int) -> None:
        """Allocate arrays for ``size`` contacts; the stored impulses are empty."""
        who, frame = np.empty((size, 2), dtype=np.int64), np.empty((size, 3, 3))
        self._contacts = Contacts(who, frame, np.empty((size, 3)), np.empty(size))
        self._memory = Memory(np.empty((size, 3)), np.empty((size, 3)), self._pressed)
        size *= 1 + self._resists
        self._W, self._weight, self._cones = np.empty((size, 3, 3)), np.empty((size, 2)), np.zeros(size)
        self._targets, self._ratios, self._P = np.empty(size), np.empty(size), np.empty((size, 3))
        self._iterate, rows = Iterate(self._P, self._V), len(self._V)
        self._copies = Copies(*(Iterate(np.empty((size, 3)), aligned_zeros((rows, 8))) for _ in Copies._fields))
        self._order, self._total = np.arange(size), 0
        self._ends = np.zeros((3, size, 2), dtype=np.int64), np.zeros((size, 3)), no_resistance(size)

    def _make_rows(self, entries: int) -> None:
        """Allocate rows with so many numbers."""
        (first, count, at), drift, resistance = self._ends
        self._sides = Sides(first, count, at, np.zeros(entries), np.zeros(entries), drift, resistance)

    def _grow_contacts(self) -> None:
        old, entries = self._memory, len(self._sides.H)
        self._make_room(2 * len(self._contacts.gap))
        self._make_rows(entries)
        for new, known in zip(self._memory[:2], old[:2], strict=True):
            new[: len(known)] = known
