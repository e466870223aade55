"""Applied impulses on free bodies in contact, and what touching contacts answer."""

from dataclasses import replace
from typing import final

import numpy as np

from vinculum.contact.free_bodies.answers import answer
from vinculum.contact.free_bodies.bodies import FreeBodies
from vinculum.contact.free_bodies.observables import matrices
from vinculum.contact.sparse.arrays import Settings
from vinculum.equations.given_impulses import given_impulse
from vinculum.equations.recursions.composite import mass_matrix
from vinculum.errors import RunError
from vinculum.integrators.answered_contacts import closed_within, recorded_answer
from vinculum.integrators.by_type import Answering
from vinculum.integrators.free_bodies.steps import free_bodies_work
from vinculum.models.free_bodies.type import free_bodies_of
from vinculum.models.model import Model
from vinculum.motion.impulses.meetings import Meetings
from vinculum.motion.problem import Problem
from vinculum.scalars import value
from vinculum.systems import Struck, Tree, placements
from vinculum.tolerances.event_driven import IMPACT_RESIDUAL
from vinculum.tolerances.time_stepping import FREE_BODIES_SWEEPS


def impulses_on_free_bodies(model: Model, names: list[str], t: float, state: np.ndarray) -> np.ndarray:
    """Generalized impulse (nv,): the sum of the named applied impulses, for the state (n,) before them."""
    return sum((_impulse(model, name, t, state) for name in names), np.zeros(model.nv))


@final
class AnsweringFreeBodies(Answering):
    """Response of the struck bodies and of all contacts that are closed, at the same instant."""

    def __init__(self, problem: Problem):
        self._model, self._method, self._met = problem.model, problem.method, None

    def after(
        self, t: float, state: np.ndarray, given: np.ndarray, held: np.ndarray | bool
    ) -> tuple[np.ndarray, np.ndarray]:
        free_bodies, nq = free_bodies_of(self._model), self._model.nq
        R = matrices(state[:nq].reshape(-1, 7)[:, 3:])
        change = in_world(free_bodies, R, change_of_struck(self._model, state, given))
        tolerance = self._method.tolerance or 0.0
        within = closed_within(float(np.linalg.norm(free_bodies.gravity)), self._method.step or 0.0)
        found = answer(
            free_bodies_work(free_bodies, state), change, within, Settings(IMPACT_RESIDUAL, FREE_BODIES_SWEEPS)
        )
        if not found.residual <= tolerance:
            raise RunError(
                f"the impulses of {len(found.impulses)} contacts that answer the applied impulse at t = {t:.9g} s have residual "
                f"{found.residual:.1e}, which is more than {tolerance:.0e}; try a larger tolerance="
            )
        self._met = recorded_answer(found.contacts, found.impulses)
        return in_body_axes(free_bodies, R, found.velocities), np.zeros(3 * len(self._model.layout.unilaterals))

    def contact_solver(self, t: float) -> None:
        return None

    def meetings(self) -> Meetings | None:
        return self._met


def in_world(free_bodies: FreeBodies, R: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Velocities (n, 6) of mass centers and angular velocities in world axes, from those of a state (6 n,); R: attitudes."""
    own = v.reshape(-1, 6)
    center = own[:, :3] + np.cross(own[:, 3:], free_bodies.centers)
    return np.concatenate([np.einsum("nij,nj->ni", R, x) for x in (center, own[:, 3:])], axis=1)


def in_body_axes(free_bodies: FreeBodies, R: np.ndarray, velocities: np.ndarray) -> np.ndarray:
    """Velocities (6 n,) of a state, from those of `in_world`."""
    center, spin = (np.einsum("nji,nj->ni", R, x) for x in (velocities[:, :3], velocities[:, 3:]))
    return np.concatenate([center - np.cross(spin, free_bodies.centers), spin], axis=1).ravel()


def _impulse(model: Model, name: str, t: float, state: np.ndarray) -> np.ndarray:
    """An applied impulse as a generalized impulse (nv,), for the state (n,) before it."""
    i = model.layout.bodies[model.layout.impulses[name].on].index
    one, q, v = _alone(model, i), state[7 * i : 7 * i + 7], state[model.nq + 6 * i : model.nq + 6 * i + 6]
    assert model.tree is not None
    impulse = next(struck.impulse for struck in model.tree.impulses if struck.impulse.name == name)
    own, _ = given_impulse(one, Struck(impulse, "body", 0), placements(one, q, v), q, v, t)
    total = np.zeros(model.nv)
    total[6 * i : 6 * i + 6] = np.asarray(value(own), dtype=float)
    return total


def change_of_struck(model: Model, state: np.ndarray, given: np.ndarray) -> np.ndarray:
    """M⁻¹ Q (nv,) for a generalized impulse Q."""
    change = np.zeros_like(given)
    for i in np.flatnonzero(given.reshape(-1, 6).any(axis=1)).tolist():
        M = np.asarray(value(mass_matrix(_alone(model, i), state[7 * i : 7 * i + 7])), dtype=float)
        change[6 * i : 6 * i + 6] = np.linalg.solve(M, given[6 * i : 6 * i + 6])
    return change


def _alone(model: Model, i: int) -> Tree:
    """The tree of one free body."""
    assert model.tree is not None
    link = replace(model.tree.links[i], index=0, q=slice(0, 7), v=slice(0, 6))
    return replace(model.tree, links=(link,), nq=7, nv=6, contact=None, impulses=())
