"""Starts of tables with constraints and closed loops: checked, brought onto them, and rows left out that follow from others."""

from dataclasses import replace

import numpy as np

from vinculum.compile.evaluate import evaluate_groups
from vinculum.derivations.starts.assembly import velocities_of_joints
from vinculum.derivations.starts.constraint_starts import REPAIR
from vinculum.derivations.starts.repairs import changes, warn_user
from vinculum.errors import StartError
from vinculum.models.model import Model
from vinculum.models.tabled.board import apply, condition_call, filled_board, frames_call, write
from vinculum.models.tabled.projection import close_on_charts, quaternion_places, rows_at, tables_at
from vinculum.models.tabled.rates import Tables
from vinculum.models.tabled.type import tabled_in
from vinculum.simulation.by_type import Prepared
from vinculum.simulation.options import Options
from vinculum.systems import named_in_start
from vinculum.tolerances.constraints import ASTRAY, CONSTRAINT_MET
from vinculum.tolerances.functions import NEARBY_FOR_RANK
from vinculum.tolerances.iterations import START_NEWTON_STEPS
from vinculum.tolerances.sizes import CONSTRAINTS_NAMED


def on_conditions(prepared: Prepared, options: Options) -> Prepared:
    """The start on all constraints and closed loops, with the model in which rows that follow from others are left out."""
    model, values, t = prepared.model, prepared.values, prepared.begin
    state = model.on_charts(prepared.state[None])[0]
    tables = tables_at(model, tabled_in(model), values)
    _check_defined(model, tables, state, t)
    if not options.repair:
        _check_constraints(model, tables, state, t)
    model = model.type.branch_at(model, state, t, values)
    tables, made = tables_at(model, tabled_in(model), values), state.copy()
    closed = close_on_charts(tables, quaternion_places(model), made, t, np.inf, START_NEWTON_STEPS)
    _check_closed(model, tables, made, t, closed)
    _check_sides(model, made, t, values)
    if tabled_in(model).left_out:
        _check_regular(model, tables, made, t, values)
    told = _changes(model, prepared, options, made)
    return replace(prepared, model=model, state=made, log=(*prepared.log, *told))


def _check_defined(model: Model, tables: Tables, state: np.ndarray, t: float) -> None:
    """Refuse a start at which a condition has no value or no gradient."""
    found = np.array(rows_at(tables, state, t))
    defined = np.isfinite(found).all(axis=0)
    if not defined.all():
        name, label = model.layout.gaps[int(np.argmin(defined))]
        why = model.layout.singular(name)
        raise StartError(
            f"{_name_in_words(model, name)}: its row {label} has no value or no gradient at this start{f': {why} there' if why else ''}; "
            "start away from this place, or write its function so that it is smooth there"
        )


def _check_constraints(model: Model, tables: Tables, state: np.ndarray, t: float) -> None:
    """Refuse a start at which a constraint is violated, in positions or in velocities; closing joints are closed from anywhere near."""
    values, rates, steep = rows_at(tables, state, t)
    reach, speed = (max(1.0, float(np.abs(x).max(initial=0.0))) for x in (state[: model.nq], state[model.nq :]))
    steep = np.where(steep > 0.0, steep, 1.0)
    known, broken = model.layout.constraints, []
    off = np.abs(values) > CONSTRAINT_MET * reach * steep
    drifting = ~off & ~(np.abs(rates) <= CONSTRAINT_MET * max(reach, speed) * steep)
    for i in np.flatnonzero(off | drifting).tolist():
        name, label = model.layout.gaps[i]
        if name not in known:
            continue
        row = f" (row {label})" if known[name].rows > 1 else ""
        what = "is violated by" if off[i] or model.layout.levels[i] else "changes at the rate"
        broken.append(f"'{name}'{row} {what} {values[i] if off[i] else rates[i]:.3g}")
    if broken:
        raise StartError(
            f"system '{model.name}': the start does not meet its constraints: {'; '.join(broken[:CONSTRAINTS_NAMED])}"
            f"{'; …' * (len(broken) > CONSTRAINTS_NAMED)}; give positions and rates that do, or {REPAIR}"
        )


def _check_closed(model: Model, tables: Tables, state: np.ndarray, t: float, closed: bool) -> None:
    """Refuse a start from which no state on all conditions was found, rows that were left out included."""
    values, rates, steep = rows_at(tables, state, t)
    reach = max(1.0, float(np.abs(state[: model.nq]).max(initial=0.0)))
    speed = max(reach, float(np.abs(state[model.nq :]).max(initial=0.0)))
    size = np.maximum(np.abs(values) / reach, np.abs(rates) / speed) / np.where(steep > 0.0, steep, 1.0)
    size = np.where(np.isfinite(size), size, np.inf)
    worst = int(np.argmax(size))
    if closed and size[worst] <= CONSTRAINT_MET:
        return
    name, label = model.layout.gaps[worst]
    raise StartError(
        f"{_name_in_words(model, name)} cannot be met from this start: its row {label} stays at {values[worst]:.3g} and its rate at "
        f"{rates[worst]:.3g}; give positions and rates nearer to a state that meets all constraints and closes all loops"
    )


def _check_sides(model: Model, state: np.ndarray, t: float, values: np.ndarray) -> None:
    """Refuse closing joints that are put on upside down."""
    tabled = tabled_in(model)
    if all(table.joint is None for table in tabled.conditions):
        return
    board, Z = filled_board(tabled, np.concatenate([state, [t], values])[None])
    for k in range(len(tabled.kinds)):
        write(frames_call(board, k), Z)
    for c, table in enumerate(tabled.conditions):
        if table.joint is None:
            continue
        sides = apply(condition_call(board, c, table.joint), Z)[0, 3:]
        wrong = np.flatnonzero((sides <= 0.0).any(axis=0))
        if len(wrong):
            raise StartError(
                f"joint '{table.names[wrong[0]]}' closes its loop only upside down; give start values nearer to the position you mean, or "
                "turn the joint's frames (at=, to=)"
            )


def _check_regular(model: Model, tables: Tables, state: np.ndarray, t: float, values: np.ndarray) -> None:
    """Refuse a singular start, where rows depend on others that do not follow from them nearby."""
    change = NEARBY_FOR_RANK * np.random.default_rng(1).normal(size=model.nv)
    row = np.concatenate([state[: model.nq], change, [t], values])[None]
    near = state.copy()
    near[: model.nq] += evaluate_groups(model.tape("rates"), row)["q_dot"][0]
    near = model.on_charts(near[None])[0]
    if not close_on_charts(tables, quaternion_places(model), near, t, np.inf, START_NEWTON_STEPS):
        return
    gaps, _, _ = rows_at(tables, near, t)
    reach = max(1.0, float(np.abs(near[: model.nq]).max(initial=0.0)))
    worst = int(np.argmax(np.abs(gaps)))
    if abs(gaps[worst]) > ASTRAY * reach:
        name, label = model.layout.gaps[worst]
        raise StartError(
            f"system '{model.name}': the start is a singular position: row {label} of '{name}' depends on other constraints there, but not "
            "nearby, so the motion is not determined; start a little away from it"
        )


def _changes(model: Model, prepared: Prepared, options: Options, made: np.ndarray) -> list[str]:
    """Remarks on the numbers of the start that were changed."""
    tree = model.tree
    assert tree is not None
    fixed, rated = (velocities_of_joints(tree, names) for names in named_in_start(options.start or {}))
    found = changes(tree, prepared.state, made, fixed, rated)
    large = [change for change in found if change.given and change.large]
    if options.repair and large:
        warn_user(
            f"system '{model.name}': repair=True changed what the start gave: {'; '.join(map(str, large[:CONSTRAINTS_NAMED]))}"
            f"{'; …' * (len(large) > CONSTRAINTS_NAMED)}; give values that meet the constraints to keep them"
        )
    told = [change for change in found if change.given or options.repair]
    what = "meet the constraints" if model.layout.constraints else "close the loops"
    return [f"assembly changed {change}, to {what}" for change in told]


def _name_in_words(model: Model, name: str) -> str:
    return f"constraint '{name}'" if name in model.layout.constraints else f"closing joint '{name}'"
