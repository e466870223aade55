"""The action of blocks in contact, on the path of their time steps."""

from typing import final

import numpy as np

from vinculum.audits.blocks_in_contact.answers_of_contacts import changes_by_contacts
from vinculum.audits.blocks_in_contact.steps import block_step, whole_steps
from vinculum.audits.tabled.action import MechanicsOfTables
from vinculum.audits.tabled.impulses import after_impulses
from vinculum.audits.tabled.stepped_action import ActionOfSteps, Pressed, StepImpulses, StepLaw
from vinculum.models.blocks_in_contact.type import block_shapes_of
from vinculum.models.tabled.type import tabled_in
from vinculum.motion.impulses.pressing import PressingContacts
from vinculum.motion.record import Record
from vinculum.tolerances.certificates import MOMENTA_CHANGED
from vinculum.tolerances.round_off import POSITIONS_ROUND_OFF


def action_of_steps(motion: Record) -> ActionOfSteps:
    """The action of a motion of blocks in contact."""
    return ActionOfSteps(motion, BlocksLaw(motion))


@final
class BlocksLaw(StepLaw):
    """v' − v = h/2 (a(q_m, v) + a(q_m, v')) with accelerations under bonds and the impulses of contacts, distributed over the step.

    Closed loops and constraints answer them with impulses of their own, which are what these equations need beside contacts, up to what
    they leave unexplained. They also move coordinates at the end of a step; the path, which is followed from there backward, leaps by this
    in the middle."""

    error = MOMENTA_CHANGED

    def __init__(self, motion: Record):
        self.motion, self.tables = motion, MechanicsOfTables(motion)
        self.held = bool(tabled_in(motion.model).conditions)
        resists_rolling = bool(np.any(block_shapes_of(motion.model).laws[:, 2:] > 0.0))
        self.bounded_by_contacts = not (resists_rolling or self.held)
        whole = whole_steps(motion)
        count = int(
            np.argmin(np.append(whole == np.arange(len(whole)), False))
        )  # those before an event that cuts a step
        self.edges = np.asarray(motion.pieces.times)[: count + 1]

    def contacts(self, steps: np.ndarray) -> Pressed:
        solver, shapes = self.motion.contact_solver, block_shapes_of(self.motion.model)
        assert solver is not None and solver.pressing is not None
        owners = solver.pressing.contact_solver
        rows = PressingContacts(
            solver.pressing.rows[slice(*np.searchsorted(owners, [steps[0], steps[-1] + 1]) if len(steps) else (0, 0))]
        )
        laws, numbers = shapes.law_of(*rows.bodies.T), np.append(shapes.bodies, -1)
        bodies = numbers[np.minimum(rows.bodies, shapes.moving)]
        mu = np.maximum(shapes.laws[laws, 1], 0.0)
        return Pressed(rows.contact_solver, bodies, rows.places, rows.normals, rows.impulses, mu)

    def largest_jumps(self, steps: np.ndarray) -> np.ndarray:
        solver, nq = self.motion.contact_solver, self.motion.model.nq
        assert solver is not None
        moved = solver.moved[steps][:, None]
        begin, end = (self.motion.pieces.state(t, side=side)[:, :nq] for t, side in
                      ((self.edges[steps], "right"), (self.edges[steps + 1], "left")))  # fmt: skip
        x = np.abs(begin).max(axis=1, keepdims=True, initial=0.0)
        # a quaternion that was moved is brought back to length one
        found = np.broadcast_to(moved * (1.0 + moved) + POSITIONS_ROUND_OFF * (1.0 + x), begin.shape).copy()
        for first, last in self.motion.model.layout.quaternions:
            found[:, first:last] += np.linalg.norm((end - begin)[:, first:last], axis=1, keepdims=True) ** 3
        return found + self._moved_by_conditions(steps) if self.held else found

    def _moved_by_conditions(self, steps: np.ndarray) -> np.ndarray:
        """How far (K, 1) conditions move coordinates at the ends of steps, twice, since a path that goes back has other rates there."""
        taken = (block_step(self.motion, int(k)) for k in steps)
        moved = [np.abs(one.before_closing() - one.end)[: self.motion.model.nq].max(initial=0.0) for one in taken]
        return 2.0 * np.array(moved).reshape(-1, 1)

    def with_reactions(self, times: np.ndarray, states: np.ndarray, given: np.ndarray) -> np.ndarray:
        nq = self.motion.model.nq
        place = np.concatenate([times[:, None], states[:, :nq]], axis=1)
        assert self.motion.atoms is not None
        own = changes_by_contacts(self.motion)[np.searchsorted(self.motion.atoms.times, times)]
        changed = after_impulses(self.motion, times, states, given) - states[:, nq:]
        return self.tables.momenta(place, changed + own)

    @property
    def pressed_steps(self) -> np.ndarray:
        solver = self.motion.contact_solver
        assert solver is not None and solver.pressing is not None
        own = np.unique(solver.pressing.contact_solver)
        return own[own < len(self.edges) - 1]

    def impulses_in(self, steps: np.ndarray) -> StepImpulses:
        nq, nv = self.motion.model.nq, self.motion.model.nv
        if not len(steps):
            return StepImpulses(np.zeros((0, nv)), np.zeros((0, nv)))
        taken = [block_step(self.motion, int(k)) for k in steps]
        h = np.array([one.h for one in taken])[:, None]
        place = np.array([[one.begin + 0.5 * one.h, *one.middle[:nq]] for one in taken])
        a, wrenches = np.array([one.change for one in taken]) / h, np.array([one.contact_wrenches() for one in taken])
        needed = left = 0.0
        for v in (np.array([one.start[nq:] for one in taken]), np.array([one.end[nq:] for one in taken])):
            needed = needed + 0.5 * h * self.tables.forces_needed(place, v, a)
            left = left + 0.5 * h * self.tables.forces_needed(place, v, a, wrenches)
        if self.held:
            unexplained = np.array([one.unexplained_change() for one in taken])
            return StepImpulses(needed - self.tables.momenta(place, unexplained), np.asarray(needed))
        deforming = h * np.array([one.deforming_forces() for one in taken])
        return StepImpulses(needed - left + deforming, np.asarray(needed))
