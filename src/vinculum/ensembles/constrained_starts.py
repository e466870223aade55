"""Starts of many runs under constraints: checked and projected together."""

from typing import Any

import numpy as np

from vinculum.compile.evaluate import evaluate_groups
from vinculum.derivations.starts.assembly import assemble
from vinculum.derivations.starts.constraint_starts import check_multipliers, meets_places
from vinculum.derivations.starts.repairs import changes, sizes, warn_user
from vinculum.errors import StartError
from vinculum.models.conditions.closed_loops import mix_parameters, move, visible
from vinculum.models.conditions.gaps import gaps_at
from vinculum.models.model import Model
from vinculum.systems import named_in_start
from vinculum.tolerances.constraints import CONSTRAINT_MET, ENSEMBLE_ACCEPTED, ENSEMBLE_CLOSED, WARNED
from vinculum.tolerances.iterations import CLOSING_LONGEST, NEWTON_DONE, START_NEWTON_STEPS
from vinculum.tolerances.rank import DEPENDENT_COLUMNS
from vinculum.tolerances.round_off import NEXT_TO_ZERO


def constrained_starts(
    model: Model, states: np.ndarray, values: np.ndarray, start: Any, t: float, repair: bool
) -> tuple:
    """The model on the branch of the first run, states (B, n) that meet all conditions, and parameters (B, p).

    All runs are closed together by Newton's steps, those that do not converge one by one, as for a single run.
    """  # fmt: skip
    tree = model.tree
    assert tree is not None
    given = start if isinstance(start, dict) else {}
    fixed, kept_rates = np.zeros(model.nv, dtype=bool), np.zeros(model.nv, dtype=bool)
    named, rated = named_in_start(given)
    for mask, names in ((fixed, named), (kept_rates, rated)):
        for name in names:
            mask[tree.links[tree.joints[name]].v] = True
    if not repair:
        _check_met(model, states, values, t)
    made = _one_by_one(model, states, values, named, rated, t, 0)
    check_multipliers(made.model, made.q, made.v, t, made.values)
    asked, states = states, _together(model, states, values, fixed, kept_rates, t)
    at = gaps_at(model, states, t, values)
    reach, speed = (np.maximum(1.0, np.abs(x).max(axis=1, initial=0.0)) for x in np.split(states, [model.nq], axis=1))
    good = (np.abs(at.values).max(axis=1, initial=0.0) <= ENSEMBLE_ACCEPTED * reach) & (
        np.abs(at.rates).max(axis=1, initial=0.0) <= ENSEMBLE_ACCEPTED * speed
    )
    good &= np.all(at.sides > 0.0, axis=1)
    for run in np.flatnonzero(~good):
        found = _one_by_one(model, states, values, named, rated, t, int(run))
        states[run] = np.concatenate([found.q, found.v])
    if repair:
        _warn_of_changes(model, asked, states, fixed, kept_rates, isinstance(start, dict))
    rows = _on_branch(model, made.model, values)
    _check_independent(made.model, states, rows, t)
    return made.model, states, mix_parameters(made.model, states, t, rows)


def _warn_of_changes(model: Model, asked, states, fixed, kept_rates, named: bool) -> None:
    """Warn of runs whose given positions or rates the repair changed much; arrays give all of them."""
    tree, everything = model.tree, np.ones(model.nv, dtype=bool)
    assert tree is not None
    given = (fixed, kept_rates) if named else (everything, everything)
    placed = np.zeros(model.nq, dtype=bool)
    for link in tree.links:
        placed[link.q] = given[0][link.v].any()
    asked, most = model.on_charts(asked), np.zeros(len(states))
    for part, chosen in ((slice(0, model.nq), placed), (slice(model.nq, None), given[1])):
        before, after = asked[:, part], states[:, part]
        share = np.abs(after - before)[:, chosen].max(axis=1, initial=0.0) / sizes(before, after)
        most = np.maximum(most, share)
    count = int(np.sum(most > WARNED))
    if count:
        run = int(np.argmax(most))
        large = [c for c in changes(tree, asked[run], states[run], *given) if c.given and c.large]
        warn_user(
            f"system '{model.name}': repair=True changed what the starts of {count} of {len(states)} runs gave, most in run {run}: "
            f"{'; '.join(map(str, large))}; give values that meet the constraints to keep them"
        )


def _check_met(model: Model, states, values, t: float) -> None:
    """Refuse starts at which a constraint is violated, in positions or in velocities, as a single run does."""
    known = model.layout.constraints
    chosen = [i for i, (name, _) in enumerate(model.layout.gaps) if name in known]
    at = gaps_at(model, states, t, values)
    reach, speed = (np.maximum(1.0, np.abs(x).max(axis=1, initial=0.0)) for x in np.split(states, [model.nq], axis=1))
    placed = meets_places(model, at, states[:, : model.nq])[:, chosen]
    broken = ~(
        placed & (np.abs(at.rates / at.steepness)[:, chosen] <= CONSTRAINT_MET * np.maximum(reach, speed)[:, None])
    )
    if not broken.any():
        return
    runs = np.flatnonzero(broken.any(axis=1))
    i = chosen[int(np.argmax(broken[runs[0]]))]
    name, label = model.layout.gaps[i]
    row = f" (row {label})" if known[name].rows > 1 else ""
    F, rate = at.values[runs[0], i], at.rates[runs[0], i]
    on_places = not placed[runs[0], chosen.index(i)]
    how = f"is violated by {F:.3g}" if on_places else f"changes at the rate {rate:.3g}"
    how = how if model.layout.levels[i] == 0 else f"is violated by {rate:.3g}"
    others = f", and {len(runs) - 1} more runs do not meet theirs" if len(runs) > 1 else ""
    raise StartError(
        f"system '{model.name}': the start of run {runs[0]} does not meet its constraints: '{name}'{row} {how}{others}; give positions and "
        "rates that do, or repair=True to move them as little as possible"
    )


def _one_by_one(model: Model, states, values, named, rated, t: float, run: int):
    try:
        made = assemble(
            model, states[run, : model.nq], states[run, model.nq :], np.array(values[run]), named, rated, t=t
        )
    except StartError as error:
        raise StartError(f"run {run}: {error}") from error
    if made.singular:
        raise StartError(
            f"system '{model.name}': run {run} starts at a singular position, {(np.round(made.q, 6) + 0.0).tolist()}, where there are "
            "more degrees of freedom than nearby and the motion is not determined; start a little away from it"
        )
    return made


def _together(model: Model, states, values, fixed, kept_rates, t: float) -> np.ndarray:
    """Newton's steps for coordinates that are not held, then for velocities that are not: the least in coordinates, and in kinetic
    energy, as for a single run."""
    states = model.on_charts(states)
    on_places = np.flatnonzero(np.array(model.layout.levels) == 0)
    for places, free in ((True, ~fixed), (False, ~kept_rates)):
        if not free.any():
            continue
        for _ in range(START_NEWTON_STEPS):
            at = gaps_at(model, states, t, values)
            size = np.maximum(1.0, np.abs(states).max(axis=1, initial=0.0))
            off = at.values[:, on_places] if places else at.rates
            open_ones = np.flatnonzero(np.abs(off).max(axis=1, initial=0.0) > ENSEMBLE_CLOSED * size)
            if not len(open_ones):
                break
            J = (at.jacobians[:, on_places] if places else at.jacobians)[open_ones][:, :, free]
            metric = np.broadcast_to(np.eye(model.nv), at.mass.shape) if places else at.mass
            root = np.linalg.cholesky(metric[open_ones][:, free][:, :, free])
            A = np.swapaxes(np.linalg.solve(root, np.swapaxes(J, 1, 2)), 1, 2)
            inner = np.linalg.pinv(A, rcond=DEPENDENT_COLUMNS) @ off[open_ones][:, :, None]
            change = np.zeros((len(open_ones), model.nv))
            change[:, free] = -np.linalg.solve(np.swapaxes(root, 1, 2), inner)[:, :, 0]
            if places:
                change *= np.minimum(
                    1.0, CLOSING_LONGEST / np.maximum(np.abs(change).max(axis=1, keepdims=True), NEXT_TO_ZERO)
                )
                states[open_ones] = move(model, states[open_ones], change, values[open_ones])
            else:
                states[open_ones, model.nq :] += change
            if np.abs(change).max() <= NEWTON_DONE:
                break
    return states


def _on_branch(model: Model, branch: Model, values: np.ndarray) -> np.ndarray:
    """Parameters in the order of the model on its branch; those that integrators set have their defaults."""
    if branch is model:
        return np.array(values)
    known, result = model.parameter_names, np.tile(branch.parameter_values(None), (len(values), 1))
    for i, name in enumerate(branch.parameter_names):
        if name in visible(dict.fromkeys(known, 0.0)):
            result[:, i] = values[:, known.index(name)]
    return result


def _check_independent(model: Model, states, values, t: float) -> None:
    """Refuse runs at whose start fewer conditions are independent than at that of the first."""
    kept, rank = model.layout.kept, model.layout.rank
    if not rank:
        return
    if rank == len(kept):
        rows = np.concatenate([states, np.full((len(states), 1), t), values], axis=1)
        good = evaluate_groups(model.tape("projection"), rows)["independence"][:, 0] > 0.0
    else:
        s = np.linalg.svd(gaps_at(model, states, t, values).jacobians[:, kept], compute_uv=False)
        good = s[:, rank - 1] > DEPENDENT_COLUMNS * s[:, 0]
        good &= s[:, rank] <= DEPENDENT_COLUMNS * s[:, 0] if s.shape[1] > rank else True
    if not good.all():
        run = int(np.argmin(good))
        raise StartError(
            f"system '{model.name}': at the start of run {run}, {np.round(states[run, : model.nq], 6).tolist()}, the conditions "
            "depend on each other in another way than at the start of run 0; start elsewhere, or simulate it alone"
        )
