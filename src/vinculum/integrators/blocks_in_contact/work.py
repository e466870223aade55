"""`BlocksWork`: blocks in contact during a run, and what is asked about them."""

from typing import NamedTuple, final

import numpy as np

from vinculum.collision.arrays import Contacts
from vinculum.compile.kernels import bind
from vinculum.contact.blocks.placing import gather_velocities, scatter_velocities
from vinculum.contact.sparse.arrays import Resistance, Settings
from vinculum.integrators.answered_contacts import recorded_answer
from vinculum.integrators.blocks_in_contact.arrays import BlockWork
from vinculum.integrators.blocks_in_contact.closings import approaches
from vinculum.integrators.blocks_in_contact.contacts import BlockContacts, contact_moments
from vinculum.integrators.blocks_in_contact.depenetration import push_apart
from vinculum.integrators.blocks_in_contact.step import DONE, Step, StepContacts, Steps, Taken
from vinculum.integrators.blocks_in_contact.stepping import take_steps
from vinculum.integrators.blocks_in_contact.tables import BlockTables
from vinculum.models.blocks_in_contact.type import block_shapes_of
from vinculum.models.model import Model
from vinculum.models.tabled.type import tabled_in
from vinculum.motion.impulses.meetings import Meetings
from vinculum.tolerances.contact import PARTINGS


class Answered(NamedTuple):
    """Velocities after an impact at an instant, the contacts of shapes that answer, the impulses (u, 3) of unilateral constraints, and the
    residual of all of them."""

    velocities: np.ndarray
    meetings: Meetings
    unilaterals: np.ndarray
    residual: float


@final
class BlocksWork:
    """Blocks during a run: their ``tables`` and ``contacts``."""

    _bound: BlockWork | None = None

    def __init__(self, model: Model, values: np.ndarray):
        self.shapes = block_shapes_of(model)
        self.tables = BlockTables(model, tabled_in(model), self.shapes, values)
        self.contacts = BlockContacts(model, self.tables, self.shapes)

    def begin(self) -> None:
        """Forget the recorded contacts, which have been taken out."""
        self.contacts.near.forget_records()

    def pressing_contacts(self) -> np.ndarray:
        """Active contacts since `begin`, (C, 12): step, both shapes, position, normal and impulse in world axes; (C, 15) with moments if
        some contacts resist rolling or spinning. Unilateral constraints stand among them with numbers after those of shapes, and their
        impulses along their own axes."""
        return self.contacts.near.records()

    def take(self, steps: Steps, settings: Settings, taken: Taken) -> tuple[int, int]:
        """Take steps one after the other; a status and the number of steps taken. The first state of ``taken`` is where they begin."""
        done, contacts, instants = 0, self.contacts, np.cumsum([steps.t, *steps.lengths]).tolist()
        while True:
            if self._bound is not contacts.work:
                self._bound, self._steps = contacts.work, bind(take_steps, contacts.work)
            rest = steps._replace(t=instants[done], lengths=steps.lengths[done:], number=steps.number + done)
            status, k = self._steps(rest, settings, Taken(taken.states[done:], *(x[done:] for x in taken[1:])))
            contacts.check()
            done += int(k)
            if status == DONE or contacts.has_room(int(status)):
                return int(status), done

    @property
    def fastest(self) -> float:
        """The largest speed [m/s] of a shape where contacts were found last."""
        return float(np.linalg.norm(self.contacts.near.velocity[: self.shapes.moving, :3], axis=1).max(initial=0.0))

    def closing(self, q: np.ndarray, v: np.ndarray, t: float, d: float) -> tuple[np.ndarray, np.ndarray]:
        """Gaps and separation velocities (m,) of contacts at a state that may close within d [s]."""
        own, found = self.contacts, (np.zeros(0), np.zeros(0))
        m = own.find(q, v, t, d)
        if m:
            own.problem(v, d)
            gather_velocities(self.tables.blocks, v, own.free)
            found = own.near.contacts.gap[:m].copy(), approaches(m, own.sides, own.before, own.free)
        own.near.forget_step()
        return found

    def contacts_of_step(self, step: Step) -> StepContacts:
        """The contacts of a step, without impulses."""
        own, (middle, a) = self.contacts, self.tables.begin_step(step)
        after = step.v + step.h * a
        m = own.find(middle, after, step.middle, max(step.h, step.span))
        if m:
            own.problem(step.v, step.h)
            push_apart(own.work, middle, step.middle)
            own.set_targets(own.problem_found(step.h), after, step.span)
        return self._found(m, middle)

    def closed_contacts(self, t: float, state: np.ndarray, within: float) -> StepContacts:
        """The contacts at a state whose gaps are below ``within`` [m], with the targets of an impact at this instant."""
        contacts, (q, v) = self.contacts, np.split(state, [self.tables.tabled.nq])
        contacts.find(q, v, t, 0.0)
        m = contacts.keep_closed(within)
        if m:
            contacts.set_impact(contacts.problem(v, 0.0), v)
        return self._found(m, q)

    def _found(self, m: int, q: np.ndarray) -> StepContacts:
        """The m contacts that were found last, at coordinates q."""
        own = self.contacts
        contacts = Contacts(*(part[:m].copy() for part in own.near.contacts))
        resistance = Resistance(*(part[own.triples].copy() for part in own.sides.resistance))
        return StepContacts(
            contacts, q, own.targets[:m].copy(), own.cones[:m].copy(), own.weight[:m].copy(), resistance,
            own.weight[own.triples].copy(),
        )  # fmt: skip

    def answer(self, t: float, state: np.ndarray, free: np.ndarray, within: float, settings: Settings) -> "Answered":
        """What an impact at an instant does, from the velocities that blocks would have after it ``free`` of contacts. Gaps below
        ``within`` [m] are closed."""
        contacts, (q, v), error = self.contacts, np.split(state, [self.tables.tabled.nq]), 0.0
        contacts.find(q, v, t, 0.0)
        m, after = contacts.keep_closed(within), free.copy()
        if m:
            problem = contacts.set_impact(contacts.problem(v, 0.0), free)
            error = contacts.sweep(problem, settings)[0]
            scatter_velocities(self.tables.blocks, contacts.V, after)
        met, bounded = Contacts(*(part[:m] for part in contacts.near.contacts)), np.zeros((contacts.unilaterals, 3))
        own = np.flatnonzero(met.who[:, 0] >= len(self.shapes.kinds))
        bounded[met.who[own, 0] - len(self.shapes.kinds)] = contacts.P[own]
        shaped = m - len(own)
        meetings = recorded_answer(
            Contacts(*(x[:shaped] for x in met)), contacts.P[:shaped], contact_moments(contacts, m)[:shaped]
        )
        return Answered(after, meetings, bounded, error)

    def contacts_at(self, q: np.ndarray, v: np.ndarray, t: float, d: float) -> Contacts:
        """The contacts at a state that may close within d [s]."""
        m = self.contacts.find(q, v, t, d)
        return Contacts(*(part[:m].copy() for part in self.contacts.near.contacts))

    def penetrations(self, q: np.ndarray, t: float) -> dict[tuple[int, int], float]:
        """Pairs of shapes that penetrate each other, and their depths [m]."""
        near = self.contacts.near
        found = near.penetrations(self.contacts.find(q, np.zeros(self.tables.tabled.nv), t, 0.0))
        behind = near.beneath()
        meet = {pair for pair in behind if self.shapes.law_of(*np.array(pair)[:, None])[0] >= 0}
        found = {pair: depth for pair, depth in found.items() if pair[0] < len(self.shapes.kinds)}
        return found | {pair: depth for pair, depth in behind.items() if pair in meet}

    def gaps(self, q: np.ndarray, t: float) -> np.ndarray:
        """Gaps (u,) of all unilateral constraints."""
        self.tables.write_blocks(q, np.zeros(self.tables.tabled.nv), t)
        return self.tables.Z[self.tables.held.unilaterals.gap].copy()

    def move_apart(self, q: np.ndarray, t: float) -> np.ndarray:
        """Coordinates at which no shape penetrates another, as far as a few displacements can do it."""
        nothing, contacts, tables, q = np.zeros(self.tables.tabled.nv), self.contacts, self.tables, q.copy()
        for _ in range(PARTINGS):
            m = contacts.find(q, nothing, t, 0.0)
            if not m or contacts.near.contacts.gap[:m].min() >= -0.1 * contacts.near.slack:
                break
            contacts.problem(nothing, 0.0)
            push_apart(contacts.work, q, float(t))
            contacts.check()
            if tables.is_conditioned:
                tables.close(q, t)
        contacts.forget_impulses()
        return q
