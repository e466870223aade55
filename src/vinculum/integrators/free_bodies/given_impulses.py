"""Applied impulses on free bodies in contact."""

from dataclasses import replace
from typing import final

import numpy as np

from vinculum.equations.given_impulses import given_impulse
from vinculum.equations.recursions.composite import mass_matrix
from vinculum.integrators.by_type import Answering
from vinculum.models.model import Model
from vinculum.motion.problem import Problem
from vinculum.scalars import value
from vinculum.systems import Struck, Tree, placements


def impulses_on_free_bodies(model: Model, names: list[str], t: float, state: np.ndarray) -> np.ndarray:
    """Generalized impulse (nv,): the sum of the named applied impulses, for the state (n,) before them."""
    return sum((_impulse(model, name, t, state) for name in names), np.zeros(model.nv))


@final
class AnsweringFreeBodies(Answering):
    """Response of the struck bodies alone; the following step finds the contacts that they make."""

    def __init__(self, problem: Problem):
        self._model = problem.model

    def after(
        self, t: float, state: np.ndarray, given: np.ndarray, held: np.ndarray | bool
    ) -> tuple[np.ndarray, np.ndarray]:
        model = self._model
        return state[model.nq :] + _change(model, state, given), np.zeros(3 * len(model.layout.unilaterals))

    def contact_solver(self, t: float) -> None:
        return None


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


def _change(model: Model, state: np.ndarray, given: np.ndarray) -> np.ndarray:
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
