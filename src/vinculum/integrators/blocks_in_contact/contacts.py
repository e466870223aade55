"""The contacts of blocks in a run: arrays that grow as needed."""

from typing import final

import numpy as np

from vinculum.collision.arrays import Shapes
from vinculum.compile.memory import check_room
from vinculum.contact.blocks.impacts import set_after_impact
from vinculum.contact.blocks.placing import gather_velocities
from vinculum.contact.blocks.rows import let_immovable_be
from vinculum.contact.free_bodies.arrays import Memory
from vinculum.contact.free_bodies.near_shapes import NearShapes
from vinculum.contact.free_bodies.room import empty_contacts, empty_copies
from vinculum.contact.sparse.arrays import (
    Bodies,
    ContactProblem,
    ContactRows,
    Iterate,
    Pace,
    Partition,
    Settings,
    Sides,
    no_resistance,
)
from vinculum.contact.sparse.finisher import Finisher
from vinculum.contact.sparse.packed_spheres import aligned_zeros
from vinculum.contact.sparse.thread_pair import new_board
from vinculum.errors import RunError
from vinculum.integrators.blocks_in_contact import problems
from vinculum.integrators.blocks_in_contact.arrays import BlockWork, Met, Near
from vinculum.integrators.blocks_in_contact.problems import BLOCK, ENTRIES, FOUND, TOTAL
from vinculum.integrators.blocks_in_contact.step import CONTACTS, PAIRS, RECORDS, ROWS, SINGULAR
from vinculum.integrators.blocks_in_contact.tables import BlockTables, meeting_of
from vinculum.models.blocks_in_contact.block_shapes import BlockShapes
from vinculum.models.model import Model
from vinculum.tolerances.contact import HARDEST
from vinculum.tolerances.sizes import FREE_BODIES_RECORD


@final
class BlockContacts:
    """Contacts during a run. ``near``: shapes where they were placed last, and their contacts; ``work``: all arrays, for compiled
    steps, until something grows; ``unilaterals``: the number of unilateral constraints beside shapes."""

    work: BlockWork
    sides: Sides

    def __init__(self, model: Model, tables: BlockTables, shapes: BlockShapes):
        self._model, self._tables, self._shapes = model, tables, shapes
        self._meeting, self._resists = meeting_of(shapes), bool(np.any(shapes.laws[:, 2:] > 0.0))
        moving, total, self.unilaterals = shapes.moving, len(shapes.kinds), len(tables.held.unilaterals.gap)
        center = np.concatenate([np.zeros((moving, 3)), shapes.places])
        turn = np.concatenate([np.tile(np.eye(3), (moving, 1, 1)), shapes.turns])
        placed, size = (
            Shapes(center, turn, shapes.kinds, shapes.sizes, shapes.reaches.copy()),
            8 * total + 64 + self.unilaterals,
        )
        width = FREE_BODIES_RECORD + 3 * self._resists
        self.near = NearShapes(placed, moving, shapes.pool, np.zeros((total, 8)), size, width)
        rows = len(tables.blocks.state)
        self.free, self.before, self._displaced, self._made, self._nothing = (
            aligned_zeros((rows, 8)) for _ in range(5)
        )
        self.V = aligned_zeros((rows, 8))
        self._people = np.arange(rows)
        self._team, self._sums, self._finisher = new_board(), np.zeros((3, 3, 8)), Finisher()
        self._told = np.zeros(4, dtype=np.int64)
        self._make_room(size)
        self._make_rows(64 * size)
        self._assemble()

    @property
    def found(self) -> int:
        """The number of contacts that were found last."""
        return int(self._told[FOUND])

    @property
    def triples(self) -> slice:
        """The rows of moments after those of contacts; empty if nothing resists rolling."""
        return slice(self.found, int(self._told[TOTAL]))

    @property
    def P(self) -> np.ndarray:
        """Impulses of all rows."""
        return self.work.met.iterate.P

    def find(self, q: np.ndarray, v: np.ndarray, t: float, d: float) -> int:
        """The number of contacts at (q, v) that may close within d [s]."""
        while not self.has_room(int(problems.find(self.work, q, v, float(t), float(d)))):
            pass
        return self.found

    def problem(self, v: np.ndarray, h: float) -> ContactProblem:
        """The contact problem at the contacts that were found last, without its targets."""
        while not self.has_room(int(problems.write_problem(self.work, v))):
            pass
        return self.problem_found(h)

    def problem_found(self, h: float) -> ContactProblem:
        """The contact problem whose rows are written already."""
        met, m = self.work.met, int(self._told[TOTAL])
        bodies = Bodies(met.weightless, met.weightless)
        return ContactProblem(m, False, met.rows, bodies, met.cones, met.targets, Pace(met.before, h * met.pull))

    def has_room(self, status: int) -> bool:
        """Whether a status says that the arrays had room; otherwise they have grown. A singular block ends the run."""
        if status == PAIRS:
            self.near.grow_pairs()
        elif status == CONTACTS:
            self._grow_contacts()
        elif status == RECORDS:
            self.near.grow_records(self.found)
        elif status == ROWS:
            needed = int(self._told[ENTRIES])
            self._check_room(needed)
            self._make_rows(2 * needed)
        elif status == SINGULAR:
            body = list(self._model.layout.bodies)[int(np.argmax(self._tables.block_of_body == self._told[BLOCK]))]
            raise RunError(
                f"the mass matrix of the block with body '{body}' is singular in its present position; start elsewhere"
            )
        else:
            return True
        self._assemble()
        return False

    def forget_impulses(self) -> None:
        """Forget the near pairs, and the impulses of the last step."""
        self.near.list_anew()
        self._tables.held.unilaterals.last[:] = 0.0

    def check(self) -> None:
        """Raise what stopped a solver, such as an interruption by the user."""
        self._finisher.check()

    def set_targets(self, problem: ContactProblem, after: np.ndarray, span: float) -> None:
        """Set the smallest velocities of separation, for velocities ``after`` a step without impulses."""
        problems.set_targets(self.work, problem, after, float(span))

    def keep_closed(self, within: float) -> int:
        """Keep only the contacts that were found last whose gaps are below ``within`` [m], or at which shapes touch; their number."""
        self._told[FOUND] = self._told[TOTAL] = self.near.keep_closed(self.found, within)
        return self.found

    def set_impact(self, problem: ContactProblem, after: np.ndarray) -> ContactProblem:
        """The problem of an impact at an instant, for velocities ``after`` it without impulses; its targets are set."""
        gather_velocities(self._tables.blocks, after, self.free)
        most = float(set_after_impact(problem, self.work.met.ratios, self.before, self.free))
        let_immovable_be(problem, self.free)
        self.V[:], self.P[: problem.m] = self.free, 0.0
        return problem._replace(pace=Pace(self.before, HARDEST * most))

    def sweep(self, problem: ContactProblem, settings: Settings) -> tuple[float, int, int]:
        """Residual, sweeps and the finisher's flag of impulses whose velocities are recomputed from them, so that no round-off is left."""
        error, sweeps, finished = problems.sweep(self.work.met, problem, settings)
        self.check()
        return float(error), int(sweeps), int(finished)

    def _check_room(self, entries: int) -> None:
        """Refuse rows that take more memory than is free."""
        widest = int(self._tables.held.groups.count.max())
        what = f"system '{self._model.name}': the rows of {self.found} contacts between blocks of up to {widest} velocities that "
        what += "conditions join"
        check_room(
            what,
            4 * entries * np.float64().nbytes,
            RunError,
            "use fewer contacts, or conditions that join fewer bodies",
        )

    def _assemble(self) -> None:
        """Put all arrays together."""
        near, tables = self.near, self._tables
        own = Near(
            near.placed,
            self._shapes.reaches,
            near.velocity,
            near.pairs,
            near.contacts,
            near.counts,
            near.entry(),
            near.touch,
            near.slack,
        )
        rows = ContactRows(near.contacts.who, near.contacts.frame, None, None, self.sides, self._W, self.weight)
        iterate = Iterate(self._P, self.V)
        parts = Partition(self._order, self._people, np.array([0, 0, len(self._people), 0]), None, None)
        memory = Memory(*self._memory, near.pressed)
        met = Met(
            rows, self.cones, self.targets, self._ratios, self.before, self.free, self._displaced, self._made, self._nothing,
            np.zeros((len(self.cones), 3)), np.zeros(len(self.cones)), np.zeros(0), iterate, self._copies, parts, self._team, self._sums,
            self._finisher.entry, memory, self._resists, self._shapes.pull, self._told,
        )  # fmt: skip
        self.work = BlockWork(tables.flight, tables.frames, tables.held, tables.carriers, self._meeting, own, met)
        self._finisher.at(self.problem_found(0.0), iterate, parts, self._copies.trial.P)

    def _make_room(self, size: int) -> None:
        """Allocate arrays for ``size`` contacts; the stored impulses are empty."""
        self.near.contacts = empty_contacts(size)
        self._memory = np.empty((size, 3)), np.empty((size, 3))
        size *= 1 + self._resists
        self._W, self.weight, self.cones = np.empty((size, 3, 3)), np.empty((size, 2)), np.zeros(size)
        self.targets, self._ratios, self._P = np.empty(size), np.empty(size), np.empty((size, 3))
        self._copies = empty_copies(size, len(self.V))
        self._order = np.arange(size)
        self._told[FOUND] = self._told[TOTAL] = 0
        self._ends = np.zeros((3, size, 2), dtype=np.int64), np.zeros((size, 3)), no_resistance(size)

    def _make_rows(self, entries: int) -> None:
        """Allocate rows with so many numbers."""
        (first, count, at), drift, resistance = self._ends
        self.sides = Sides(first, count, at, np.zeros(entries), np.zeros(entries), drift, resistance)

    def _grow_contacts(self) -> None:
        old, entries = self._memory, len(self.sides.H)
        self._make_room(2 * len(self.near.contacts.gap))
        self._make_rows(entries)
        for new, known in zip(self._memory, old, strict=True):
            new[: len(known)] = known


def contact_moments(contacts: BlockContacts, m: int) -> np.ndarray:
    """Moments (m, 3) about the axes of the m contacts that were found last."""
    found, (partner, arm, _limits) = np.zeros((m, 3)), contacts.sides.resistance
    rows = contacts.triples
    found[partner[rows]] = arm[rows, None] * contacts.P[rows]
    return found
