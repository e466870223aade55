r"""Single steps of free bodies in contact, repeated with the user's description.

With velocities v⁻, ω⁻ and angular momenta L⁻ at its beginning, a step of length d finds its contacts in the middle x + d/2 v⁻, and

.. math:: m\,(v^+ - v^- - d\,g) = F,\qquad L^+ - L^- = C,\qquad (F, C) = H^T P

for every body, with the net impulses F and C of its contacts.
Moreau, in Nonsmooth Mechanics and Applications, CISM 302 (1988).
"""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.audits.free_bodies.description import Described
from vinculum.audits.impacts.located import Locating
from vinculum.contact.free_bodies.observables import matrices
from vinculum.integrators.free_bodies.contacts import StepContacts
from vinculum.integrators.free_bodies.flights import turn_quaternions
from vinculum.motion.record import Record


@final
@dataclass(frozen=True, eq=False)
class Step:
    """``duration`` [s]; ``X`` (n, 3), ``R`` (n, 3, 3): mass centers and attitudes of bodies in its middle; ``mobility`` (n, 3, 3): inverse
    inertias there; ``before``, ``free`` (n, 6): velocities in its middle, and at its end without impulses; ``given`` (n, 6): net impulses;
    ``rest`` [m/s]: below it bodies are at rest; ``locating``: None if impacts are not located.
    """

    duration: float
    X: np.ndarray
    R: np.ndarray
    mobility: np.ndarray
    before: np.ndarray
    free: np.ndarray
    given: np.ndarray
    described: Described
    rest: float = 0.0
    locating: Locating | None = None

    def relative(self, contacts: StepContacts, velocities: np.ndarray) -> np.ndarray:
        """Velocities (m, 3) of the first bodies relative to the second at contacts, along the frames, for velocities (n, 6) of bodies."""
        world = np.zeros((len(contacts), 3))
        for which, sign, arm, rows in self._sides(contacts):
            v = velocities[which]
            world[rows] += sign * (v[:, :3] + np.cross(v[:, 3:], arm))
        return np.einsum("cki,ci->ck", contacts.frame, world)

    def net_impulses(self, contacts: StepContacts) -> np.ndarray:
        """Net impulses Hᵀ P (n, 6) of the contacts."""
        force = np.einsum("ck,cki->ci", contacts.impulses, contacts.frame)
        total = np.zeros((len(self.X), 6))
        for which, sign, arm, rows in self._sides(contacts):
            np.add.at(total, which, sign * np.concatenate([force[rows], np.cross(arm, force[rows])], axis=1))
        return total

    def answer(self, impulses: np.ndarray) -> np.ndarray:
        """Changes of velocities M⁻¹ p (n, 6) by net impulses p."""
        spun = np.einsum("nij,nj->ni", self.mobility, impulses[:, 3:])
        return np.concatenate([impulses[:, :3] / self.described.masses[:, None], spun], axis=1)

    def weights(self, contacts: StepContacts) -> np.ndarray:
        """Diagonals w_N and the larger w_T (m, 2) of the contacts' own blocks of H M⁻¹ Hᵀ."""
        W = np.zeros((len(contacts), 3, 3))
        for which, _, arm, rows in self._sides(contacts):
            lever = np.cross(arm[:, None], contacts.frame[rows])
            W[rows] += np.eye(3) / self.described.masses[which, None, None]
            W[rows] += np.einsum("cki,cij,clj->ckl", lever, self.mobility[which], lever)
        along = np.linalg.eigvalsh(W[:, 1:, 1:])[:, 1] if len(W) else np.zeros(0)
        return np.stack([W[:, 0, 0], along], axis=1)

    def _sides(self, contacts: StepContacts):
        for side, sign in ((0, 1.0), (1, -1.0)):
            rows = np.flatnonzero(contacts.who[:, side] < len(self.X))
            which = contacts.who[rows, side]
            yield which, sign, contacts.place[rows] - self.X[which], rows


def step_between(motion: Record, described: Described, begin: float, end: float) -> tuple[Step, np.ndarray]:
    """A step of a motion from its states at both ends, and the state (q, v) at its beginning."""
    d = end - begin
    states = np.concatenate(
        [motion.pieces.state(np.array([begin]), side="right"), motion.pieces.state(np.array([end]), side="left")]
    )
    n, g = len(described.masses), described.gravity
    q, v = states[:, : 7 * n].reshape(2, n, 7), states[:, 7 * n :].reshape(2, n, 6)
    R = matrices(q[..., 3:])
    x = q[..., :3] + np.einsum("bnij,nj->bni", R, described.centers)
    velocity = np.einsum("bnij,bnj->bni", R, v[..., :3] + np.cross(v[..., 3:], described.centers))
    L = np.einsum("bnij,njk,bnk->bni", R, described.inertias, v[..., 3:])
    spin = np.einsum("bnij,bnj->bni", R, v[..., 3:])
    middle = matrices(turn_quaternions(q[0, :, 3:], 0.5 * d * spin[0]))
    mobility = np.einsum("nij,njk,nlk->nil", middle, np.linalg.inv(described.inertias), middle)
    turn = 2.0 * np.einsum("nij,nj->ni", mobility, L[0]) - spin[0]
    before = np.concatenate([velocity[0] + 0.5 * d * g, turn], axis=1)
    free = np.concatenate([velocity[0] + d * g, turn], axis=1)
    given = np.concatenate([described.masses[:, None] * (velocity[1] - velocity[0] - d * g), L[1] - L[0]], axis=1)
    return Step(d, x[0] + 0.5 * d * velocity[0], middle, mobility, before, free, given, described), states[0]
