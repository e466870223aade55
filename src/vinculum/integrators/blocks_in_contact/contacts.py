"""The contacts of blocks: where they are, their rows, and the impulses of their contact problem."""

from typing import final

import numpy as np

from vinculum.collision.arrays import Shapes
from vinculum.compile.memory import check_room
from vinculum.contact.blocks.impacts import set_after_impact
from vinculum.contact.blocks.placing import gather_velocities, invert_masses, place_shapes, stretch_reaches
from vinculum.contact.blocks.resistance import record_moments, write_resistance
from vinculum.contact.blocks.rows import entries_of_rows, least_speeds, let_immovable_be, write_laws, write_rows
from vinculum.contact.free_bodies.arrays import MARGIN, Memory
from vinculum.contact.free_bodies.contacts import find_contacts
from vinculum.contact.free_bodies.near_shapes import NearShapes
from vinculum.contact.free_bodies.room import empty_contacts, empty_copies
from vinculum.contact.free_bodies.warm_start import record_contacts, remember_impulses, warm_start
from vinculum.contact.sparse.admitted_work import residual_work
from vinculum.contact.sparse.arrays import (
    Bodies,
    ContactProblem,
    ContactRows,
    Iterate,
    Pace,
    Partition,
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
from vinculum.integrators.blocks_in_contact.tables import BlockTables, meeting_of
from vinculum.models.blocks_in_contact.block_shapes import BlockShapes
from vinculum.models.model import Model
from vinculum.tolerances.contact import HARDEST, SWEEPS_AFTER_RENEWAL
from vinculum.tolerances.sizes import FREE_BODIES_RECORD
from vinculum.tolerances.time_stepping import SOUGHT


@final
class BlockContacts:
    """Contacts during a run; the arrays grow as needed. ``near``: shapes where they were placed last, and their contacts; ``before``,
    ``free``: velocities before and without impulses, ``V`` with the impulses ``P``, in rows of eight."""

    def __init__(self, model: Model, tables: BlockTables, shapes: BlockShapes):
        self._model, self._tables, self._shapes = model, tables, shapes
        self._meeting, self._resists = meeting_of(shapes), bool(np.any(shapes.laws[:, 2:] > 0.0))
        moving, total = shapes.moving, len(shapes.kinds)
        center = np.concatenate([np.zeros((moving, 3)), shapes.places])
        turn = np.concatenate([np.tile(np.eye(3), (moving, 1, 1)), shapes.turns])
        placed, size = Shapes(center, turn, shapes.kinds, shapes.sizes, shapes.reaches.copy()), 8 * total + 64
        width = FREE_BODIES_RECORD + 3 * self._resists
        self.near = NearShapes(placed, moving, shapes.pool, np.zeros((total, 8)), size, width)
        rows = len(tables.blocks.state)
        self.free, self.before, self.V, self.D = (aligned_zeros((rows, 8)) for _ in range(4))
        self._people = np.arange(rows)
        self._team, self._sums, self._finisher = new_board(), np.zeros((3, 3, 8)), Finisher()
        self._make_room(size)
        self._make_rows(64 * size)

    @property
    def triples(self) -> slice:
        """The rows of moments after those of contacts; empty if nothing resists rolling."""
        return slice(self._m, self._total)

    def find(self, q: np.ndarray, v: np.ndarray, t: float, d: float) -> int:
        """The number of contacts at (q, v) that may close within d [s]."""
        tables, near = self._tables, self.near
        tables.write_blocks(q, v, t)
        place_shapes(tables.Z, tables.mounting, tables.carriers, near.placed, near.velocity)
        if stretch_reaches(tables.carriers, near.placed, self._shapes.reaches):
            near.counts[MARGIN] = -1.0  # near pairs are listed anew
        while True:
            room = len(near.contacts.gap)
            count, m = find_contacts(
                d, near.placed, self._meeting, near.entry(), near.velocity, near.pairs, near.counts, room
            )
            if count > len(near.pairs.now.first):
                near.grow_pairs()
            elif m > room:
                self._grow_contacts()
            else:
                self._m = self._total = int(m)
                return int(m)

    def problem(self, v: np.ndarray, h: float) -> ContactProblem:
        """The contact problem at the contacts that were found last, without its targets."""
        tables, rows = self._tables, self.write_rows()
        write_laws(self._m, self.near.contacts, self._meeting, self.cones, self._ratios)
        gather_velocities(tables.blocks, v, self.before)
        nothing = Bodies(np.zeros(0), np.zeros(0))
        problem = ContactProblem(
            self._total, False, rows, nothing, self.cones, self.targets, Pace(self.before, h * self._shapes.pull)
        )
        self._finisher.at(problem, self.iterate, self._copies.trial.P)
        return problem

    def write_rows(self) -> ContactRows:
        """The rows of the contacts that were found last, for the blocks where they are now."""
        m, tables, contacts = self._m, self._tables, self.near.contacts
        wrong = int(invert_masses(tables.Z, tables.blocks))
        if wrong >= 0:
            body = list(self._model.layout.bodies)[int(np.argmax(tables.block_of_body == wrong))]
            raise RunError(
                f"the mass matrix of the block with body '{body}' is singular in its present position; start elsewhere"
            )
        tables.damping.add_forces(tables.blocks.inverse)
        tables.write_conditions()
        resistance = self.sides.resistance
        total = self._total = int(write_resistance(m, contacts, self._meeting, resistance)) if self._resists else m
        needed = entries_of_rows(total, contacts, tables.held, resistance)
        if needed > len(self.sides.H):
            self._check_room(m, needed)
            self._make_rows(2 * needed)
        write_rows(total, contacts, tables.held, self.sides)
        rows = ContactRows(contacts.who, contacts.frame, None, None, self.sides, self._W, self.weight)
        weigh_sides(total, rows)
        return rows

    def set_targets(self, problem: ContactProblem, after: np.ndarray, span: float) -> None:
        """Set the smallest velocities of separation, for velocities ``after`` a step without impulses."""
        near = self.near
        gather_velocities(self._tables.blocks, after, self.free)
        least_speeds(problem, near.contacts.gap, self._ratios, near.touch, span, self.before, self.free)
        let_immovable_be(problem, self.free)

    def keep_closed(self, within: float) -> int:
        """Keep only the contacts that were found last whose gaps are below ``within`` [m], or at which shapes touch; their number."""
        self._m = self._total = self.near.keep_closed(self._m, within)
        return self._m

    def set_impact(self, problem: ContactProblem, after: np.ndarray) -> ContactProblem:
        """The problem of an impact at an instant, for velocities ``after`` it without impulses; its targets are set."""
        gather_velocities(self._tables.blocks, after, self.free)
        most = float(set_after_impact(problem, self._ratios, self.before, self.free))
        let_immovable_be(problem, self.free)
        self.V[:], self.P[: problem.m] = self.free, 0.0
        return problem._replace(pace=Pace(self.before, HARDEST * most))

    def start_warm(self, problem: ContactProblem, h: float) -> None:
        """Begin with the impulses of the same contacts in the step before."""
        near, guess = self.near, self._copies.old.P
        self.V[:], self.P[: problem.m], guess[: problem.m] = self.free, 0.0, 0.0
        warm_start(problem, self.iterate, h, near.contacts, near.pairs, near.listed, self._memory, guess)

    def sweep(self, problem: ContactProblem, settings: Settings) -> tuple[float, int, int]:
        """Residual, sweeps and the finisher's flag of impulses whose velocities are recomputed from them, so that no round-off is left."""
        total, finished, error, (tolerance, most) = 0, 0, np.inf, settings
        for _ in range(SWEEPS_AFTER_RENEWAL):
            solver = self._solver(problem.m, Settings(SOUGHT * tolerance, most))
            error, sweeps, flag = solve(problem, self.iterate, solver)
            self._finisher.check()
            total, finished = total + int(sweeps), max(finished, int(flag))
            kept = self.P[: problem.m].copy()
            self.V[:], self.P[: problem.m] = self.free, 0.0
            replace_impulses(problem, self.iterate, kept)
            if not sweeps or not error <= tolerance:
                break
            error = self.residual(problem, tolerance)
            if error <= tolerance:
                break
        return float(error), total, finished

    def residual(self, problem: ContactProblem, tolerance: float) -> float:
        """The residual of the present impulses."""
        return float(solve(problem, self.iterate, self._solver(problem.m, Settings(tolerance, 0)))[0])

    def displace(self, problem: ContactProblem, settings: Settings) -> None:
        """Solve for the displacements D and their impulses."""
        solve(problem, Iterate(self.P, self.D), self._solver(self._m, settings))
        self._finisher.check()

    def work_of_residual(self, problem: ContactProblem) -> float:
        """The most work [J] that what is left of the residual can do."""
        return float(residual_work(problem, self.iterate, self._copies.old.P))

    def remember(self, number: int, h: float) -> None:
        """Store the impulses of a step for the next one, and record its active contacts under its ``number``."""
        near, m, first = self.near, self._m, self.near.recorded
        remember_impulses(m, h, near.contacts, self.P, self._memory)
        if first + m > len(near.pressed):
            near.grow_records(m)
        record_contacts(number, m, h, near.contacts, self.P, self._memory._replace(pressed=near.pressed), near.counts)
        if self._resists:
            record_moments(m, self._total, first, near.contacts, self.P, self.sides.resistance, near.pressed)

    def _solver(self, m: int, settings: Settings) -> Solver:
        parts = Partition(self._order, self._people, np.array([m, m, len(self._people), m]), None, None)
        team = Team(FIRST, ALONE, self._team, self._sums, parts)
        limits = Settings(settings.tolerance, np.int64(settings.most))
        return Solver(team, limits, self._copies, self._finisher.entry)

    def _check_room(self, m: int, entries: int) -> None:
        """Refuse rows that take more memory than is free."""
        widest = int(self._tables.held.groups.count.max())
        what = f"system '{self._model.name}': the rows of {m} contacts between blocks of up to {widest} velocities that conditions join"
        check_room(
            what,
            4 * entries * np.float64().nbytes,
            RunError,
            "use fewer contacts, or conditions that join fewer bodies",
        )

    def _make_room(self, size: int) -> None:
        """Allocate arrays for ``size`` contacts; the stored impulses are empty."""
        self.near.contacts, self._m = empty_contacts(size), 0
        self._memory = Memory(np.empty((size, 3)), np.empty((size, 3)), self.near.pressed)
        size *= 1 + self._resists
        self._W, self.weight, self.cones = np.empty((size, 3, 3)), np.empty((size, 2)), np.zeros(size)
        self.targets, self._ratios, self.P = np.empty(size), np.empty(size), np.empty((size, 3))
        self.iterate, self._copies = Iterate(self.P, self.V), empty_copies(size, len(self.V))
        self._order, self._total = np.arange(size), 0
        self._ends = np.zeros((3, size, 2), dtype=np.int64), np.zeros((size, 3)), no_resistance(size)

    def _make_rows(self, entries: int) -> None:
        """Allocate rows with so many numbers."""
        (first, count, at), drift, resistance = self._ends
        self.sides = Sides(first, count, at, np.zeros(entries), np.zeros(entries), drift, resistance)

    def _grow_contacts(self) -> None:
        old, entries = self._memory, len(self.sides.H)
        self._make_room(2 * len(self.near.contacts.gap))
        self._make_rows(entries)
        for new, known in zip(self._memory[:2], old[:2], strict=True):
            new[: len(known)] = known


def contact_moments(contacts: BlockContacts, m: int) -> np.ndarray:
    """Moments (m, 3) about the axes of the m contacts that were found last."""
    found, (partner, arm, _limits) = np.zeros((m, 3)), contacts.sides.resistance
    rows = contacts.triples
    found[partner[rows]] = arm[rows, None] * contacts.P[rows]
    return found
