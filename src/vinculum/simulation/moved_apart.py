r"""A start of a tree with penetration, displaced until no gap is negative.

.. math:: \min\ \tfrac12\,w^T M w,\qquad g + J w \ge 0,\qquad q \leftarrow q + N w

from place to place, since gaps are not linear: the least moves in the metric of the kinetic energy.
"""

import numpy as np

from vinculum.compile.evaluate import evaluate_groups
from vinculum.errors import StartError
from vinculum.integrators.event_driven.touching import Touching
from vinculum.integrators.moreau.contacts import contacts_at
from vinculum.models.model import Model
from vinculum.tolerances.contact import AIMED, MOVE_SETTLED, SHALLOW_START
from vinculum.tolerances.iterations import MOVES_APART, SWEEPS_APART


def moved_apart(model: Model, t: float, state: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, list[str]]:
    """The start (q, v) with the places moved so that unilateral constraints and shapes are apart, and a remark if there was something to
    move."""
    assert model.tree is not None
    touching, moved = Touching(model, values), state.copy()
    worst, told = _worst(model, touching, t, state, values)
    if worst >= 0.0:
        return state, []
    if model.tree.is_conditioned:
        raise StartError(
            f"system '{model.name}': {told}, and coordinates in loops or constraints are not moved; start where no gap is negative"
        )
    aim = AIMED * max(1.0, float(np.abs(state[: model.nq]).max(initial=0.0)))
    for _ in range(MOVES_APART):
        gaps, J, K = _rows(model, touching, t, moved, values)
        if gaps.min(initial=0.0) >= 0.0:
            break
        part = 0.5 if gaps.min() < -SHALLOW_START * aim / AIMED else 1.0
        w = K @ (J.T @ _pushes(J @ K @ J.T, part * (gaps - aim)))
        moved[: model.nq] += _rates(model, t, moved, values, w)
        moved = model.on_charts(moved[None])[0]
    left, _ = _worst(model, touching, t, moved, values)
    if left < -aim or not np.all(np.isfinite(moved)):
        raise StartError(
            f"system '{model.name}': {told}, and moving coordinates leaves a gap of {left:.3g}; start where no gap is negative"
        )
    way = float(np.abs(moved[: model.nq] - state[: model.nq]).max())
    return moved, [f"{told}: coordinates were moved by up to {way:.3g}"]


def _worst(model: Model, touching: Touching, t: float, state: np.ndarray, values: np.ndarray) -> tuple[float, str]:
    """The least gap, zero if none is negative, and whose it is."""
    gaps, which = touching.at(t, state).gaps, ""
    least = float(gaps.min(initial=0.0))
    if least < 0.0:
        which = f"the gap of unilateral constraint '{touching.names[int(np.argmin(gaps))]}' is {least:.3g} at the start"
    if model.shapes is not None:
        met = contacts_at(model, np.concatenate([state, [t], values])[None])
        if len(met) and met.gaps.min() < least:
            least, k = float(met.gaps.min()), int(np.argmin(met.gaps))
            one, other = (model.layout.shapes[i] for i in met.shapes[k])
            which = f"'{one}' and '{other}' start {-least:.3g} m inside each other"
    return least, which


def _rows(model: Model, touching: Touching, t: float, state: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, ...]:
    """Gaps (r,) of unilateral constraints and closed contacts, their derivatives J (r, nv) along the velocities, and M⁻¹."""
    here = touching.at(t, state)
    if model.shapes is None:
        return here.gaps, here.jacobians[::3], here.K
    row = np.concatenate([state, [t], values])[None]
    met = contacts_at(model, row)
    found, strained = evaluate_groups(model.tape("shapes"), row), model.shapes.strained
    screws, strains = found["screws"].reshape(model.nv, 6), found["strains"].reshape(len(strained), 3, 3)
    still = len(model.shapes.kinds) - model.shapes.moving
    carried = np.concatenate([model.shapes.carried, np.zeros((still, model.nv))]).astype(float)
    sign = carried[met.shapes[:, 0]] - carried[met.shapes[:, 1]]
    normal = met.axes[:, 0]
    arms = np.concatenate([normal, np.cross(met.places, normal)], axis=1)
    slopes = arms @ screws.T
    slopes[:, strained] += np.einsum("cx,kxy,cy->ck", normal, strains, met.places)
    return np.append(here.gaps, met.gaps), np.concatenate([here.jacobians[::3], slopes * sign]), here.K


def _pushes(W: np.ndarray, gaps: np.ndarray) -> np.ndarray:
    """λ ≥ 0 with gaps + W λ ≥ 0 and no λ where that is positive, by sweeps."""
    pushed, left = np.zeros(len(gaps)), gaps.copy()
    for _ in range(SWEEPS_APART):
        most = 0.0
        for k in np.flatnonzero(np.diag(W) > 0.0):
            change = max(pushed[k] - left[k] / W[k, k], 0.0) - pushed[k]
            pushed[k] += change
            left += W[:, k] * change
            most = max(most, abs(change) * W[k, k])
        if most <= MOVE_SETTLED * np.abs(gaps).max():
            break
    return pushed


def _rates(model: Model, t: float, state: np.ndarray, values: np.ndarray, w: np.ndarray) -> np.ndarray:
    """N w (nq,) at a state."""
    rows = np.tile(np.concatenate([state, [t], values]), (2, 1))
    rows[:, model.nq : model.nq + model.nv] = np.stack([w, np.zeros_like(w)])
    found = evaluate_groups(model.tape("rates"), rows)["q_dot"]
    return found[0] - found[1]
