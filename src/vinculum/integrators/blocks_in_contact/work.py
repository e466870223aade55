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

from typing import final

import numpy as np

from vinculum.collision.arrays import Contacts
from vinculum.contact.blocks.placing import gather_velocities, scatter_velocities
from vinculum.contact.free_bodies.closings import WATCHED, WITHHELD
from vinculum.contact.sparse.arrays import ContactProblem, Resistance, Settings
from vinculum.integrators.answered_contacts import recorded_answer
from vinculum.integrators.blocks_in_contact.closings import approaches, closes_soon, let_pass, withhold
from vinculum.integrators.blocks_in_contact.contacts import BlockContacts, contact_moments
from vinculum.integrators.blocks_in_contact.depenetration import move_apart, push_apart
from vinculum.integrators.blocks_in_contact.flights import BlockFlights
from vinculum.integrators.blocks_in_contact.step import (
    DONE,
    HIT,
    INFINITE,
    MISSED,
    OPENED,
    UNSETTLED,
    Report,
    Step,
    StepContacts,
    StepResult,
)
from vinculum.integrators.blocks_in_contact.tables import BlockTables
from vinculum.models.blocks_in_contact.type import block_shapes_of
from vinculum.models.model import Model
from vinculum.models.tabled.type import tabled_in
from vinculum.motion.impulses.meetings import Meetings
from vinculum.tolerances.time_stepping import FORCE_ROUNDS


@final
class BlocksWork:
    """Blocks during a run: their ``tables`` and ``contacts``. ``centers`` and ``axes``: of the shapes that move, where they were placed
    last."""

    def __init__(self, model: Model, values: np.ndarray):
        self.shapes = block_shapes_of(model)
        self.tables = BlockTables(tabled_in(model), self.shapes, values)
        self.contacts = BlockContacts(model, self.tables, self.shapes)
        self._flights = BlockFlights(model, self.tables)

    @property
    def centers(self) -> np.ndarray:
        return self.contacts.near.placed.center[: self.shapes.moving]

    @property
    def axes(self) -> np.ndarray:
        return self.contacts.near.placed.turn[: self.shapes.moving]

    def begin(self) -> None:
        """Forget the recorded contacts, which have been taken out."""
        self.contacts.near.forget_records()

    def pressing_contacts(self) -> np.ndarray:
        """Active contacts since `begin`, (C, 12): step, both shapes, position, normal and impulse in world axes; (C, 15) with moments if
        some contacts resist rolling or spinning."""
        return self.contacts.near.records()

    def step(self, number: int, step: Step, settings: Settings) -> StepResult:
        """Take a step; its contacts are recorded under its ``number``."""
        h, q, v, contacts, flights = step.h, step.q, step.v, self.contacts, self._flights
        middle, a, settled = flights.begin(step)
        after = v + h * a
        m = contacts.find(middle, after, step.middle, max(h, step.span)) if np.all(np.isfinite(after)) else 0
        report, closing = Report(0.0, 0, m, 0.0, 0.0, 0.0, 0), np.zeros_like(v)
        if not settled:
            return StepResult(UNSETTLED, middle, q, v, report)
        if m:
            problem = contacts.problem(v, h)
            if step.impacts == WATCHED and closes_soon(
                self._approaches(m, after), contacts.near.contacts.gap[:m], step
            ):
                contacts.near.forget_step()
                return StepResult(HIT, middle, q, v, report)
            if step.impacts == WITHHELD:
                let_pass(contacts.near.contacts.gap[:m], self._approaches(m, after), step)
            middle, depth, moved = self._push_apart(problem._replace(m=m), middle, step.middle)
            contacts.set_targets(problem, after, step.span)
            if step.impacts > WATCHED:
                near = contacts.near
                withhold(contacts.targets[:m], near.contacts.gap[:m], self._approaches(m, after), near.touch, step)
            after, closing, a, (error, sweeps, finished) = self._solve(problem, middle, step, a, settings)
            report = Report(error, sweeps, m, depth, moved, contacts.work_of_residual(problem), finished)
            if not error <= settings.tolerance:
                contacts.near.forget_step()
                return StepResult(MISSED, middle, q, v, report)
        elif self.tables.is_conditioned:
            after, closing, a = flights.settle(middle, step, a)
        end = flights.end(middle, after, closing, step)
        if not end.kept:
            contacts.near.forget_step()
            return StepResult(OPENED, middle, q, v, report)
        if m:
            contacts.remember(number, h)
        flights.last, after = a, after + end.closing
        status = DONE if np.all(np.isfinite(end.q)) and np.all(np.isfinite(after)) else INFINITE
        return StepResult(status, middle, end.q, after, report)

    @property
    def fastest(self) -> float:
        """The largest speed [m/s] of a shape where contacts were found last."""
        return float(np.linalg.norm(self.contacts.near.velocity[: self.shapes.moving, :3], axis=1).max(initial=0.0))

    def on_charts(self, q: np.ndarray) -> np.ndarray:
        """Coordinates (nq,) with their quaternions brought back to length one."""
        return self._flights.on_charts(q)

    def closing(self, q: np.ndarray, v: np.ndarray, t: float, d: float) -> tuple[np.ndarray, np.ndarray]:
        """Gaps and separation velocities (m,) of contacts at a state that may close within d [s]."""
        own, found = self.contacts, (np.zeros(0), np.zeros(0))
        m = own.find(q, v, t, d)
        if m:
            own.problem(v, d)
            found = own.near.contacts.gap[:m].copy(), self._approaches(m, v)
        own.near.forget_step()
        return found

    def contacts_of_step(self, step: Step) -> StepContacts:
        """The contacts of a step, without impulses."""
        own, (middle, a, _settled) = self.contacts, self._flights.begin(step)
        after = step.v + step.h * a
        m = own.find(middle, after, step.middle, max(step.h, step.span))
        if m:
            problem = own.problem(step.v, step.h)
            middle = self._push_apart(problem._replace(m=m), middle, step.middle)[0]
            own.set_targets(problem, after, step.span)
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

    def answer(
        self, t: float, state: np.ndarray, free: np.ndarray, within: float, settings: Settings
    ) -> tuple[np.ndarray, Meetings, float]:
        """Velocities after an impact at an instant, from those that blocks would have after it ``free`` of contacts; the contacts that
        answer, and the residual of their impulses. Gaps below ``within`` [m] are closed."""
        contacts, (q, v), error = self.contacts, np.split(state, [self.tables.tabled.nq]), 0.0
        contacts.find(q, v, t, 0.0)
        m, after = contacts.keep_closed(within), free.copy()
        if m:
            problem = contacts.set_impact(contacts.problem(v, 0.0), free)
            error = contacts.sweep(problem, settings)[0]
            scatter_velocities(self.tables.blocks, contacts.V, after)
        met = Contacts(*(part[:m] for part in contacts.near.contacts))
        return after, recorded_answer(met, contacts.P[:m], contact_moments(contacts, m)), error

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
        return found | {pair: depth for pair, depth in behind.items() if pair in meet}

    def move_apart(self, q: np.ndarray, t: float) -> np.ndarray:
        """Coordinates at which no shape penetrates another, as far as a few displacements can do it."""
        return move_apart(self.contacts, self._flights, self.tables, q, t)

    def _approaches(self, m: int, after: np.ndarray) -> np.ndarray:
        """The larger of the separation velocities (m,) before a step and ``after`` it without impulses."""
        gather_velocities(self.tables.blocks, after, self.contacts.free)
        return approaches(m, self.contacts.sides, self.contacts.before, self.contacts.free)

    def _push_apart(self, problem: ContactProblem, middle: np.ndarray, t: float) -> tuple[np.ndarray, float, float]:
        return push_apart(self.contacts, self._flights, self.tables, problem, middle, t)

    def _solve(self, problem: ContactProblem, middle: np.ndarray, step: Step, a: np.ndarray, settings: Settings):
        """Velocities after impulses that are consistent with the forces they change in the same step, how conditions change them at its
        end, accelerations, and residual, sweeps and the finisher's flag."""
        contacts, flights, blocks, damping = self.contacts, self._flights, self.tables.blocks, self.tables.damping
        h, v, tolerance, sweeps, finished, error = step.h, step.v, settings.tolerance, 0, 0, np.inf
        free, closing = v + h * a, np.zeros_like(v)
        contacts.start_warm(problem, h)
        for _ in range(FORCE_ROUNDS):
            error, more, flag = contacts.sweep(problem, settings)
            sweeps, finished = sweeps + more, max(finished, flag)
            made, changed = contacts.V - contacts.free, np.zeros_like(v)
            scatter_velocities(blocks, made, changed)
            change = damping.without_forces(changed)
            a, _settled = flights.accelerate(middle, step, change + closing, a)
            if self.tables.is_conditioned:
                closing = flights.end(middle, v + h * a + change, closing, step).closing
            last, free = free, v + h * a + change - changed + closing
            apart, size = (np.abs(x).max(initial=0.0) for x in (free - last, np.concatenate([h * a, change])))
            gather_velocities(blocks, free, contacts.free)
            np.add(contacts.free, made, out=contacts.V)
            if not error <= tolerance:
                break
            if apart <= tolerance * size:
                error = contacts.residual(problem, tolerance)
                if error <= tolerance:
                    break
        after = v + h * a + closing
        scatter_velocities(blocks, contacts.V, after)
        return after - closing, closing, a, (error, sweeps, finished)
