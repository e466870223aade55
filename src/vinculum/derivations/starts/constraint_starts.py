"""Starts that violate constraints: refused with names and residuals, or repaired on request."""

from weakref import WeakKeyDictionary

import numpy as np

from vinculum.derivations.regularity import NOT_A_SQUARE, keeps_sign
from vinculum.derivations.starts.closed_positions import distances
from vinculum.errors import StartError
from vinculum.models.conditions.closed_loops import move
from vinculum.models.conditions.gaps import Gaps, gap_places, gaps_at
from vinculum.models.model import Model
from vinculum.tolerances.constraints import ASTRAY, CONSTRAINT_MET, KINK, SLOPES_TURNED
from vinculum.tolerances.functions import FLAT_ROW, NEARBY
from vinculum.tolerances.rank import DEPENDENT_COLUMNS
from vinculum.tolerances.samples import KINK_SAMPLES, NEARBY_SAMPLES

REPAIR = "repair=True to move them as little as possible"
SETTLE = "settle=True to look for a state nearby that does and stays as it is"


def check_constraints(
    model: Model, q: np.ndarray, v: np.ndarray, t: float, values: np.ndarray, remedy: str = REPAIR
) -> None:
    """Refuse a start at which a constraint that multipliers keep is violated, in positions or in velocities."""
    known = model.layout.constraints
    rows = [(i, name, label) for i, (name, label) in enumerate(model.layout.gaps) if name in known]
    if not rows:
        return
    state = np.concatenate([q, v])
    check_defined(model, state, t, values)
    at = gaps_at(model, state[None], t, values)
    reach, speed = (max(1.0, float(np.abs(x).max(initial=0.0))) for x in (q, v))
    placed = meets_places(model, at, q[None])[0]
    broken, steep = [], at.steepness[0]
    for i, name, label in rows:
        row = f" (row {label})" if known[name].rows > 1 else ""
        if not placed[i]:
            broken.append(f"'{name}'{row} is violated by {at.values[0, i]:.3g}")
        elif not abs(at.rates[0, i]) <= CONSTRAINT_MET * max(reach, speed) * steep[i]:
            what = "changes at the rate" if model.layout.levels[i] == 0 else "is violated by"
            broken.append(f"'{name}'{row} {what} {at.rates[0, i]:.3g}")
    if broken:
        raise StartError(
            f"system '{model.name}': the start does not meet its constraints: {'; '.join(broken[:6])}"
            f"{'; …' * (len(broken) > 6)}; give positions and rates that do, or {remedy}"
        )


def meets_all(model: Model, state: np.ndarray, t: float, values: np.ndarray) -> bool:
    """Whether a state meets all conditions beyond doubt and all velocities move some inertia: nothing has to be moved or refused."""
    if not _simple(model) or _kinks(model, state, t, values).any():
        return False
    from vinculum.models.conditions.consistency import is_met

    places, row = gap_places(model), np.concatenate((state, (t,), values))
    return is_met(row, places.last(row).outputs, places.begins, len(places.levels), places.sides, model.nq, model.nv)


def _simple(model: Model) -> bool:
    """Whether all conditions are linear in the velocities and on bodies that have lengths of their own."""
    known = _simple_ones.get(model)
    if known is None:
        assert model.tree is not None
        straight = all(one.is_linear for one in model.tree.constraints)
        extended = any(body.kind != "MassPoint" for body in model.layout.bodies.values())
        known = _simple_ones[model] = straight and extended and all(level < 2 for level in model.layout.levels)
    return known


_simple_ones: "WeakKeyDictionary[Model, bool]" = WeakKeyDictionary()


def meets_places(model: Model, at: Gaps, q: np.ndarray) -> np.ndarray:
    """Whether conditions on positions hold at coordinates (B, nq), (B, m)."""
    reach = np.maximum(1.0, np.abs(q).max(axis=1, initial=0.0, keepdims=True))
    return (np.abs(at.values) <= CONSTRAINT_MET * reach * at.steepness) & (distances(model, at, q) <= ASTRAY)


def check_multipliers(model: Model, q: np.ndarray, v: np.ndarray, t: float, values: np.ndarray) -> None:
    """Refuse conditions that depend on each other where multipliers are part of the state: their rates would not be determined."""
    known, gaps = model.layout.constraints, model.layout.gaps
    own = [i for i, (name, _) in enumerate(gaps) if name in known and known[name].varies]
    if not own:
        return
    at = gaps_at(model, np.concatenate([q, v])[None], t, values)
    U, s, _ = np.linalg.svd(at.jacobians[0])
    shares = np.abs(U[:, int(np.sum(s > DEPENDENT_COLUMNS * s.max(initial=0.0))) :])
    if not (shares[own] > DEPENDENT_COLUMNS).any():
        return
    column = shares[:, int(np.argmax(shares[own].max(axis=0)))]
    tied = [f"row {gaps[i][1]} of '{gaps[i][0]}'" for i in np.flatnonzero(column > DEPENDENT_COLUMNS)]
    what = f"{tied[0]} depends on no velocity" if len(tied) == 1 else f"{', '.join(tied)} depend on each other"
    raise StartError(
        f"system '{model.name}': {what} at the start, so the rates of the multipliers are not determined; leave one out, or start elsewhere"
    )


def check_numbers(model: Model, what: str) -> None:
    """Refuse multipliers that start by a rule where no motion is run that could find them."""
    assert model.tree is not None
    for one in model.tree.constraints:
        rule = None if one.constraint.realization is None else one.constraint.realization.rule
        if rule is not None and rule != "zero":
            raise StartError(
                f"system '{model.name}': the multipliers of '{one.constraint.name}' start by the rule {rule}, which vc.simulate follows; "
                f"give {what} their values, as vc.Vakonomic(multipliers=0.0)"
            )


def check_efforts(model: Model, q: np.ndarray, v: np.ndarray, t: float, values: np.ndarray) -> None:
    """Refuse rows on accelerations that hold none, and named efforts that do not move what they are to keep."""
    known, gaps, levels = model.layout.constraints, model.layout.gaps, model.layout.levels
    named = [i for i, (name, _) in enumerate(gaps) if name in known and known[name].directed]
    if not named and 2 not in levels:
        return
    at = gaps_at(model, np.concatenate([q, v])[None], t, values)
    J, B, M = at.jacobians[0], at.along[0], at.mass[0]
    lost = [gaps[i] for i in named if not np.all(np.isfinite(B[i]))]
    if lost:
        raise StartError(
            f"constraint '{lost[0][0]}': effort {lost[0][1]} that its servo names is not a number at the start, as a direction along a "
            "velocity that is zero there; start elsewhere, or name a direction that is known there"
        )
    U, s, _ = np.linalg.svd(J)
    shares = np.abs(U[:, int(np.sum(s > DEPENDENT_COLUMNS * s.max(initial=0.0))) :]).max(axis=1, initial=0.0)
    for i, (name, label) in enumerate(gaps):
        if (i in named or levels[i] == 2) and (shares[i] > DEPENDENT_COLUMNS or not np.any(J[i])):
            raise StartError(
                f"constraint '{name}': its row {label} holds nothing at the start, or nothing that other conditions leave free (a factor "
                "such as a velocity may be zero there); start elsewhere, or leave it out"
            )
    if named:
        _check_grip(model, named, *_apart(J, B, M))


def _apart(J, B, M) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows that span J and B in coordinates in which the kinetic energy is ½ |w|², each row of length one, and J M⁻¹ Bᵀ of these."""
    C = np.linalg.cholesky(M)
    rows = [np.linalg.solve(C, X.T).T for X in (J, B)]
    J, B = (X / np.maximum(np.linalg.norm(X, axis=1, keepdims=True), np.finfo(float).tiny) for X in rows)
    return J, B, J @ B.T


def _check_grip(model: Model, named: list[int], J, B, A) -> None:
    gaps = model.layout.gaps
    others = [i for i in range(len(gaps)) if i not in named]
    free = np.eye(J.shape[1]) - np.linalg.pinv(J[others], rcond=DEPENDENT_COLUMNS) @ J[others]
    left, right = J[named] @ free, B[named] @ free
    lengths = np.linalg.norm(right, axis=1)
    moved = np.linalg.svd(_unit(left) @ (right / np.maximum(lengths, DEPENDENT_COLUMNS)[:, None]).T, compute_uv=False)
    if lengths.min() > DEPENDENT_COLUMNS and moved[-1] > DEPENDENT_COLUMNS:
        return
    names = ", ".join(dict.fromkeys(f"'{gaps[i][0]}'" for i in named))
    if lengths.min() <= DEPENDENT_COLUMNS:
        name, label = gaps[named[int(np.argmin(lengths))]]
        raise StartError(
            f"constraint '{name}': effort {label} that its servo names moves nothing at the start that joints and other constraints leave "
            "free; name another direction, or start elsewhere"
        )
    reach = np.abs(A[np.ix_(named, named)]).max(axis=1)
    name, label = gaps[named[int(np.argmin(reach))]]
    raise StartError(
        f"constraint '{name}': the efforts that the servo of {names} names do not move its row {label} at the start: J M⁻¹ Bᵀ is singular, "
        "and no effort of that direction keeps it; name another direction, or start elsewhere"
    )


def _unit(rows: np.ndarray) -> np.ndarray:
    """Orthonormal rows that span the same space, where these are independent."""
    return np.linalg.qr(rows.T)[0].T


def check_jacobians(model: Model, state, t: float, values) -> None:
    """Refuse a start at which a nonlinear row has zero derivative with respect to the velocities, as a square that
    must vanish."""
    assert model.tree is not None
    bent = [one.constraint.name for one in model.tree.constraints if one.constraint.level == 1 and not one.is_linear]
    for i in _flat_rows(model, state, t, values):
        name, label = model.layout.gaps[i]
        if name in bent:
            advice = NOT_A_SQUARE if _is_square(model, i, state, t, values) else "start with other velocities"
            raise StartError(
                f"constraint '{name}': its row {label} has no derivative by the velocities at the start, so it constrains "
                f"nothing there; {advice}"
            )


def square_told(model: Model, state, t: float, values) -> str:
    """A remark that a row on positions with zero gradient at a state is a square or similar; empty if none is."""
    for i in _flat_rows(model, state, t, values):
        if model.layout.levels[i] == 0 and _is_square(model, i, state, t, values):
            return f"'{model.layout.gaps[i][0]}': {NOT_A_SQUARE}"
    return ""


def _flat_rows(model: Model, state, t: float, values) -> list[int]:
    """Rows of constraints with zero gradient at a state."""
    known = model.layout.constraints
    if not known:
        return []
    jacobians = np.abs(gaps_at(model, state[None], t, values).jacobians[0]).max(axis=1, initial=0.0)
    flat = jacobians <= FLAT_ROW * max(1.0, float(np.abs(state[model.nq :]).max(initial=0.0)))
    return [i for i, (name, _) in enumerate(model.layout.gaps) if flat[i] and name in known]


def _is_square(model: Model, row: int, state, t: float, values) -> bool:
    """Whether a row keeps its sign around a state."""
    changes = NEARBY * np.random.default_rng(3).normal(size=(2, NEARBY_SAMPLES, model.nv))
    near = move(model, np.repeat(state[None], NEARBY_SAMPLES, axis=0), changes[0], values)
    near[:, model.nq :] += changes[1]
    at = gaps_at(model, np.concatenate([state[None], near]), t, values)
    found = (at.rates if model.layout.levels[row] else at.values)[:, row]
    return keeps_sign(found[0], found[1:])


def check_defined(model: Model, state, t: float, values) -> None:
    """Refuse a start at which a condition has no value or no gradient, such as that of a disc that lies flat."""
    defined = gaps_at(model, state[None], t, values).defined[0] & ~_kinks(model, state, t, values)
    if defined.all():
        return
    name, label = model.layout.gaps[int(np.argmin(defined))]
    kind = "constraint" if name in model.layout.constraints else "joint"
    why = model.layout.singular(name)
    raise StartError(
        f"{kind} '{name}': its row {label} has no value or no gradient at this start, q = {np.round(state[: model.nq], 6).tolist()}"
        f"{f': {why} there' if why else ''}; "
        "start away from this place, or write its function so that it is smooth there"
    )


def _kinks(model: Model, state, t: float, values) -> np.ndarray:
    """Rows of constraints with singular positions whose derivatives turn within round-off of a state, (m,)."""
    may = np.array([bool(model.layout.singular(name)) for name, _ in model.layout.gaps], dtype=bool)
    if not may.any():
        return may
    changes = (
        KINK
        * np.random.default_rng(3).normal(size=(KINK_SAMPLES, model.nv))
        * max(1.0, float(np.abs(state[: model.nq]).max()))
    )
    near = move(model, np.repeat(state[None], KINK_SAMPLES, axis=0), changes, values)
    J = gaps_at(model, np.concatenate([state[None], near]), t, values).jacobians
    turned = np.abs(J[1:] - J[0]).max(axis=(0, 2)) > SLOPES_TURNED * np.abs(J[0]).max(axis=1)
    return may & turned
