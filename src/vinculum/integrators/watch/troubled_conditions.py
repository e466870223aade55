"""Messages about constraints and loops at which a run fails."""

import numpy as np

from vinculum.models.conditions.closed_loops import move
from vinculum.models.conditions.gaps import gaps_at
from vinculum.models.model import Model
from vinculum.tolerances.sizes import CONDITIONS_LISTED
from vinculum.tolerances.watch import NEARLY_DEPENDENT, SHARE_OF_TROUBLE, SLOPES_TURN, TROUBLE_NUDGE


def state_told(model: Model, state: np.ndarray) -> str:
    """Coordinates, then velocities, with their names; only the first ones if there are many."""
    names = [*model.layout.q_names, *(f"{x}'" for x in model.layout.v_names)]
    listed = [f"{name} = {x + 0.0:.6g}" for name, x in zip(names, state, strict=True)]
    return f"{', '.join(listed[:CONDITIONS_LISTED])}{', …' * (len(listed) > CONDITIONS_LISTED)}"


def row_told(model: Model, row: int) -> str:
    """Name of a condition: a row of a constraint, or a gap of a closing joint."""
    name, label = model.layout.gaps[row]
    if name not in model.layout.constraints:
        return f"gap '{label}' of joint '{name}'"
    return f"row {label} of '{name}'" if model.layout.constraints[name].rows > 1 else f"'{name}'"


def singular_told(model: Model, rows: list[int]) -> str:
    """What the constraints say about rows without a Jacobian, if anything; for the end of a message."""
    names = [model.layout.gaps[i][0] for i in rows]
    told = dict.fromkeys(model.layout.singular(name) for name in names)
    return "".join(f": {one} there" for one in told if one)


def dependent_ones(model: Model, state: np.ndarray, t: float, values: np.ndarray) -> str:
    """The loops or constraints that are dependent where the conditions have lost rank, as the subject of a sentence."""
    kept, rank = model.layout.kept, model.layout.rank
    shares = np.abs(np.linalg.svd(gaps_at(model, state[None], t, values).jacobians[0, kept])[0][:, rank - 1])
    names = [model.layout.gaps[kept[i]][0] for i in np.flatnonzero(shares > SHARE_OF_TROUBLE * shares.max())]
    constrained = list(dict.fromkeys(f"'{name}'" for name in names if name in model.layout.constraints))
    if not constrained:
        return "the loops"
    told = f"the constraint{'s' * (len(constrained) > 1)} {list_names(constrained)}"
    return told if all(name in model.layout.constraints for name in names) else f"the loops and {told}"


def rows_without_gradient(model: Model, state: np.ndarray, t: float, values: np.ndarray, step: float = 0.0) -> str:
    """Conditions whose gradient vanishes or jumps where a run fails, for the end of a message; empty if there are none.

    ``step``: length of the last steps [s].
    """
    if not model.layout.rank or not model.type.has_graphs or not np.all(np.isfinite(state)):
        return ""
    v = state[model.nq :]
    reach = max(1.0, float(np.abs(state[: model.nq]).max(initial=0.0)))
    ahead = max(step, TROUBLE_NUDGE * reach / max(float(np.abs(v).max(initial=0.0)), np.finfo(float).tiny)) * v
    with np.errstate(all="ignore"):
        near = np.concatenate([state[None], move(model, np.stack([state, state]), np.stack([ahead, -ahead]), values)])
        J = gaps_at(model, near, t, values).jacobians
        size = np.maximum(np.abs(J[0]).max(axis=1), np.finfo(float).tiny)
        turned = np.abs(J[1:] - J[0]).max(axis=(0, 2)) / size
        s = np.linalg.svd(np.nan_to_num(J[0][model.layout.kept]), compute_uv=False)
    bad = np.flatnonzero(~(turned < SLOPES_TURN))
    place = f"at t = {t:.9g} s and {state_told(model, state)}"
    rank = model.layout.rank
    if s[rank - 1] < NEARLY_DEPENDENT * s[0]:
        return f"; {dependent_ones(model, state, t, values)} nearly depend on each other there, {place}"
    if len(bad):
        told = list_names([row_told(model, int(i)) for i in bad])
        return f"; {told} {'has' if len(bad) == 1 else 'have'} no gradient near there, {place}{singular_told(model, bad.tolist())}"
    return ""


def last_state(model: Model, state: np.ndarray, t: float) -> str:
    """The last state of a run with conditions, for the end of a message."""
    return f"; its last state, at t = {t:.9g} s, is {state_told(model, state)}" if model.layout.gaps else ""


def list_names(names: list[str]) -> str:
    """Names joined for a sentence: "a, b and c"."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
