"""The action of free bodies in contact, on the path of their time steps."""

from functools import cached_property
from typing import final

import numpy as np

from vinculum.audits.action.loops import tree_of_loop
from vinculum.audits.free_bodies.answers_of_contacts import along_velocities, contact_wrenches
from vinculum.audits.free_bodies.windows import positions_and_momenta
from vinculum.audits.tabled.stepped_action import ActionOfSteps, Pressed, StepImpulses, StepLaw
from vinculum.contact.free_bodies.observables import matrices
from vinculum.integrators.free_bodies.flights import turn_quaternions
from vinculum.models.free_bodies.type import free_bodies_of
from vinculum.models.tabled.tabled import tabled_of
from vinculum.motion.record import Record
from vinculum.tolerances.certificates import PATHS_BENT, SWEPT
from vinculum.tolerances.round_off import POSITIONS_ROUND_OFF


def action_of_steps(motion: Record) -> ActionOfSteps:
    """The action of a motion of free bodies in contact."""
    return ActionOfSteps(motion, FreeBodiesLaw(motion), tabled_of(tree_of_loop(motion.model)))


@final
class FreeBodiesLaw(StepLaw):
    """m (v⁺ − v⁻ − d g) = F and L⁺ − L⁻ = C for every body, with the net impulses F and C of its contacts about its mass center in the
    middle of the step."""

    error = SWEPT

    def __init__(self, motion: Record):
        self.motion, self.free_bodies = motion, free_bodies_of(motion.model)
        solver = motion.contact_solver
        count = 0 if solver is None or solver.pressing is None else min(len(solver), len(motion.pieces) // 2)
        self.edges = np.asarray(motion.pieces.times)[: 2 * count + 1 : 2]

    @cached_property
    def _owners(self) -> np.ndarray:
        """The steps of all pressing contacts."""
        solver = self.motion.contact_solver
        assert solver is not None and solver.pressing is not None
        return solver.pressing.contact_solver

    def with_reactions(self, times: np.ndarray, states: np.ndarray, given: np.ndarray) -> np.ndarray:
        assert self.motion.atoms is not None
        own = np.searchsorted(self.motion.atoms.times, times)
        return given + along_velocities(self.motion, contact_wrenches(self.motion)[own], states)

    @property
    def pressed_steps(self) -> np.ndarray:
        own = np.unique(self._owners)
        return own[own < len(self.edges) - 1]

    def impulses_in(self, steps: np.ndarray) -> StepImpulses:
        d = np.diff(self.edges)[steps][:, None, None]
        states = self.motion.pieces.state(self.edges[steps], side="right")
        begin, end = (
            self._centers_and_momenta(x) for x in (states, self.motion.pieces.state(self.edges[steps + 1], side="left"))
        )
        needed = end[..., 6:] - begin[..., 6:]
        needed[..., :3] -= d * self.free_bodies.masses[:, None] * self.free_bodies.gravity
        met = self._net_impulses(steps, begin[..., :3] + 0.5 * d * begin[..., 3:6])
        R = self._middle_attitudes(states, d)
        return StepImpulses(self._along(R, met), self._along(R, needed))

    def contacts(self, steps: np.ndarray) -> Pressed:
        pressed, count = self._rows(steps), self.free_bodies.count
        bodies = pressed[:, 1:3].astype(int)
        own = np.where(bodies < count, bodies, -1)
        mu = np.full(len(pressed), max(self.free_bodies.mu, 0.0))
        return Pressed(pressed[:, 0].astype(int), own, pressed[:, 3:6], pressed[:, 6:9], pressed[:, 9:12], mu)

    def _rows(self, steps: np.ndarray) -> np.ndarray:
        """The contacts (C, 12) in consecutive steps."""
        solver = self.motion.contact_solver
        assert solver is not None and solver.pressing is not None
        own = np.searchsorted(self._owners, [steps[0], steps[-1] + 1]) if len(steps) else (0, 0)
        return np.asarray(solver.pressing.rows[slice(*own)])

    def largest_jumps(self, steps: np.ndarray) -> np.ndarray:
        solver, n, d = self.motion.contact_solver, self.free_bodies.count, np.diff(self.edges)[steps][:, None]
        assert solver is not None
        ends = [
            self.motion.pieces.state(t, side=side)
            for t, side in ((self.edges[steps], "right"), (self.edges[steps + 1], "left"))
        ]
        x = max(float(np.abs(one[:, : 7 * n]).max(initial=0.0)) for one in ends)
        turn = d * np.maximum(*(np.linalg.norm(one[:, 7 * n :].reshape(-1, n, 6)[..., 3:], axis=2) for one in ends))
        arm = np.linalg.norm(self.free_bodies.centers, axis=1)
        moved, reaches = solver.moved[steps][:, None], self.free_bodies.reaches[:n]
        moments = np.linalg.eigvalsh(self.free_bodies.inertias)
        uneven = moments[:, -1] / moments[:, 0] - 1.0
        # ω changes within a half by ω × I ω, a straight half is shorter, and corrections rotate bodies about their mass centers
        turned = PATHS_BENT * ((uneven + turn) * turn**2 + moved / reaches)
        gone = moved + PATHS_BENT * arm * (turn**2 + moved / reaches)
        return np.repeat(np.stack([gone, turned], axis=2), (3, 4), axis=2).reshape(
            len(steps), -1
        ) + POSITIONS_ROUND_OFF * (1.0 + x)

    def _centers_and_momenta(self, states: np.ndarray) -> np.ndarray:
        """Mass centers, velocities, momenta and spins (K, n, 12) in world axes."""
        return positions_and_momenta(self.motion, np.arange(self.free_bodies.count), states)

    def _net_impulses(self, steps: np.ndarray, X: np.ndarray) -> np.ndarray:
        """Net impulses and moments (K, n, 6) of contacts about mass centers X (K, n, 3)."""
        met, found = self.contacts(steps), np.zeros((*X.shape[:2], 6))
        for side, sign in ((0, 1.0), (1, -1.0)):
            mine = met.bodies[:, side] >= 0
            k, b, P = met.step[mine] - steps[0], met.bodies[mine, side], met.impulses[mine]
            arm = met.places[mine] - X[k, b]
            np.add.at(found, (k, b), sign * np.concatenate([P, np.cross(arm, P)], axis=1))
        return found

    def _middle_attitudes(self, states: np.ndarray, d: np.ndarray) -> np.ndarray:
        """Rotation matrices (K, n, 3, 3) in the middles of steps."""
        n = self.free_bodies.count
        Q, v = states[:, : 7 * n].reshape(-1, n, 7)[..., 3:], states[:, 7 * n :].reshape(-1, n, 6)
        return matrices(turn_quaternions(Q, 0.5 * d * np.einsum("knij,knj->kni", matrices(Q), v[..., 3:])))

    def _along(self, R: np.ndarray, wrench: np.ndarray) -> np.ndarray:
        """Impulses and moments (K, n, 6) about mass centers in world axes, on velocities of origins and bodies in their axes, (K, 6 n)."""
        force, moment = (np.einsum("knji,knj->kni", R, part) for part in (wrench[..., :3], wrench[..., 3:]))
        moment = moment + np.cross(self.free_bodies.centers, force)
        return np.concatenate([force, moment], axis=2).reshape(len(R), -1)
