"""Motions from other programs: their arrays and their model."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from vinculum.bonds.unilaterals import SLIDES, STICKS
from vinculum.compile.evaluate import evaluate_groups
from vinculum.derivations.starts.assembly import assemble
from vinculum.errors import StartError
from vinculum.models.model import Model
from vinculum.models.model_cache import model_for
from vinculum.motion.arguments import floats
from vinculum.motion.given.charts import continuous
from vinculum.motion.given.jumps import contact_impulses_of, impacts_between, shut_scales
from vinculum.motion.given.splines import double_breaks, spline_pieces
from vinculum.motion.impulses.contact_impulses import given_atoms
from vinculum.motion.method import GIVEN, Method
from vinculum.motion.phases import Phase
from vinculum.motion.states import recorded_states
from vinculum.systems import System
from vinculum.tolerances.certificates import CLAIMED, CLOSED_AS_CLAIMED
from vinculum.tolerances.sizes import COLUMNS_LISTED


def given_states(model: Model, time, q, v, left_v=None) -> tuple[np.ndarray, np.ndarray]:
    """Instants and states (T, nq + nv) of a motion that was computed elsewhere; others are refused. Instants of jumps stand twice, with the
    limits from both sides."""
    given = (("time", time), ("q", q), ("v", v), ("left_v", v if left_v is None else left_v))
    time, q, v, left = (floats(f"a motion of '{model.name}': {name}", x) for name, x in given)
    steps = np.diff(time) if time.ndim == 1 else np.zeros(0)
    if (
        time.ndim != 1
        or len(time) < 2
        or np.any(steps < 0)
        or np.any((steps[1:] == 0) & (steps[:-1] == 0))
        or time[0] == time[-1]
    ):
        raise StartError(
            "a motion's instants must be at least two increasing numbers; the instant of a jump may be repeated"
        )
    for name, array, width in (("q", q, model.nq), ("v", v, model.nv), ("left_v", left, model.nv)):
        if array.shape != (len(time), width):
            raise StartError(
                f"a motion of '{model.name}': {name} must have shape {(len(time), width)}, got {array.shape}; its columns are "
                f"{', '.join(getattr(model.layout, f'{name[-1]}_names')[:COLUMNS_LISTED])}{', …' * (width > COLUMNS_LISTED)}"
            )
    jumps = np.flatnonzero((left != v).any(axis=1) & (time > time[0]))
    rows, both = np.sort(np.concatenate([np.arange(len(time)), jumps])), np.concatenate([q, v], axis=1)
    first = np.append(rows[1:] == rows[:-1], False)
    both = both[rows]
    both[first, model.nq :] = left[rows[first]]
    return time[rows], both


def given_record(
    system,
    model: Model,
    time: np.ndarray,
    states: np.ndarray,
    values: np.ndarray,
    tolerance: float,
    contact_impulses=None,
) -> dict:
    """Pieces, grid, method, atoms, phases and log of a motion that was computed elsewhere, with jumps at instants that stand twice, or
    else where gaps close between instants."""
    grid, known = np.unique(time), 0.0
    states, log = continuous(model, time, states, values)
    atoms, phases = None, ()
    if (
        (model.layout.unilaterals or model.layout.impulses)
        and model.shapes is None
        and model.type.has_graphs
        and model.nv
    ):
        if len(grid) == len(time):
            time, states, known = impacts_between(model, time, states, values, tolerance)
            told = f"given: velocities jump between instants; continued from both sides, the jumps are known to {known:.1e}"
            log += [told] * (len(time) > len(grid))
        k = np.flatnonzero(np.diff(time) == 0.0)
        jumps = k[(states[k, model.nq :] != states[k + 1, model.nq :]).any(axis=1)]
        near = (
            CLOSED_AS_CLAIMED
            * max(tolerance, known)
            * max(float(np.abs(states[:, : model.nq]).max(initial=0.0)), np.finfo(float).tiny)
        )
        atoms = contact_impulses_of(model, time[jumps], states[jumps], states[jumps + 1], values, near)
        log += [f"given: {len(jumps)} impacts, whose impulses are those that make the jumps of the velocities"] * (
            contact_impulses is None and len(jumps) > 0
        )
        if contact_impulses is not None:
            atoms = given_atoms(model, atoms, contact_impulses, "given_motion")
        if isinstance(system, System) and model.layout.unilaterals:
            phases = given_phases(system, model, time, states, values, tolerance)
            begins = np.array([phase.begin for phase in phases])
            extra = np.setdiff1d(begins, np.append(time[np.flatnonzero(np.diff(time) == 0.0)], [time[0], time[-1]]))
            which = np.sort(np.concatenate([np.arange(len(time)), np.flatnonzero(np.isin(time, extra))]))
            time, states = time[which], states[which]
    method = Method(GIVEN, tolerance=max(tolerance, known))
    return {
        "pieces": spline_pieces(time, states),
        "time": grid,
        "method": method,
        "atoms": atoms,
        "phases": phases,
        "log": tuple(log),
    }


def given_phases(system: System, model: Model, time, states, values, tolerance: float) -> tuple[Phase, ...]:
    """Which unilateral constraints stay closed between the instants of a motion that was computed elsewhere: where gaps and their rates
    are nothing to the accuracy that is claimed, and which of them slide."""
    rows = np.concatenate([states, time[:, None], np.broadcast_to(values, (len(time), len(values)))], axis=1)
    found = evaluate_groups(model.tape("unilaterals"), rows)
    names, gaps = list(model.layout.unilaterals), found["gaps"]
    m = len(names)
    H = found["jacobians"].reshape(len(time), -1, model.nv)[:, : 3 * m]
    u = (np.einsum("trn,tn->tr", H, states[:, model.nq :]) + found["drifts"][:, : 3 * m]).reshape(len(time), m, 3)
    length, speed = tolerance * shut_scales(gaps, H, time, states, model.nq)
    shut = (np.abs(gaps) <= length) & (np.abs(u[:, :, 0]) <= speed)
    slips = np.linalg.norm(u[:, :, 1:], axis=2) > speed
    lasting = np.flatnonzero(np.diff(time) > 0.0)
    rough = [bool(model.layout.unilaterals[name].friction) for name in names]
    keys = [tuple(sorted((names[c], STICKS if rough[c] and not (slips[k, c] or slips[k + 1, c]) else SLIDES)
                         for c in range(m) if shut[k, c] and shut[k + 1, c])) for k in lasting]  # fmt: skip
    if not any(keys) or len(set(keys)) > COLUMNS_LISTED:
        return ()
    phases: list[Phase] = []
    models: dict[tuple, Model] = {}
    for step, (k, key) in enumerate(zip(lasting, keys, strict=True)):
        struck = bool(k and time[k - 1] == time[k])
        if phases and key == phases[-1].closed and not struck:
            continue
        if key not in models:
            own = model_for(system.with_contacts(dict(key)))
            known = dict(
                zip(
                    own.parameter_names,
                    _parameter_values(own, dict(zip(model.parameter_names, values, strict=True))),
                    strict=True,
                )
            )
            models[key] = model_on_branch(own, time[[k]], states[[k]], known)
        unsure = 0.0 if struck or not step else float(time[k] - time[k - 1] + time[k + 1] - time[k])
        named = dict(zip(model.parameter_names, values, strict=True))
        phases.append(
            Phase(step, key, models[key], _parameter_values(models[key], named), float(time[k]), unsure=unsure)
        )
    return tuple(phases)


def replaced_motion(motion: Any, q: np.ndarray, v: np.ndarray) -> dict:
    """Pieces, atoms and phases of a motion with impacts on whose grid other coordinates and velocities are put: what they differ by is
    interpolated, and added on both sides of its jumps."""
    change = np.concatenate([q, v], axis=1) - np.concatenate([motion.q, motion.v], axis=1)
    if np.any(motion.atoms.durations):  # impulses that belong to whole steps
        edges = np.asarray(motion.pieces.times)
        added = np.stack([np.interp(edges, motion.time, column) for column in change.T], axis=1)
        coefficients = np.array(motion.pieces.coefficients)
        coefficients[:, :, 0] += added[:-1]
        h = np.diff(edges)[:, None]
        coefficients[:, :, 1] += np.divide(np.diff(added, axis=0), h, out=np.zeros_like(added[1:]), where=h > 0.0)
        return {"pieces": replace(motion.pieces, times=edges, coefficients=coefficients)}
    breaks = np.unique(np.concatenate([motion.atoms.times, [phase.begin for phase in motion.phases]]))
    breaks = breaks[(breaks > motion.time[0]) & (breaks < motion.time[-1])]
    ends = np.concatenate([motion.time[:1], breaks, motion.time[-1:]])
    inner = np.concatenate([np.linspace(a, b, COLUMNS_LISTED + 2)[1:-1] for a, b in pairwise(ends)])
    time = double_breaks(np.unique(np.concatenate([motion.time, inner])), breaks)
    first = np.append(np.diff(time) == 0.0, False)
    states = np.where(first[:, None], motion.pieces.state(time, side="left"), motion.pieces.state(time))
    states = recorded_states(motion, time, states)
    states = states + np.stack([np.interp(time, motion.time, column) for column in change.T], axis=1)
    pieces = spline_pieces(time, states)
    method = Method(GIVEN, tolerance=CLAIMED)
    steps = np.searchsorted(np.asarray(pieces.times), [phase.begin for phase in motion.phases])
    phases = tuple(replace(phase, step=int(step)) for phase, step in zip(motion.phases, steps, strict=True))
    return {"pieces": pieces, "phases": phases, "method": method}


def model_on_branch(model: Model, time: np.ndarray, states: np.ndarray, values: Mapping[str, float]) -> Model:
    """The model as it is on the branch that these states lie on."""
    known = np.array([values[name] for name in sorted(values)], dtype=float)
    k = len(states) // 2
    if not model.layout.gaps or model.tree is None or not model.type.has_graphs:
        return model.type.branch_at(model, states[k], float(time[k]), known)
    return assemble(model, states[k, : model.nq], states[k, model.nq :], known, t=float(time[k])).model


def check_same_layout(a: Model, b: Model) -> None:
    """Refuse to carry a motion of model a over to model b, unless both have the same coordinates and velocities."""
    if a.layout.q_names != b.layout.q_names or a.layout.v_names != b.layout.v_names:
        raise StartError(
            f"system '{b.name}' has coordinates {b.layout.q_names}, the motion has {a.layout.q_names}; "
            "only systems with the same joints can share a motion"
        )


def other_phases(motion: Any, system, values: Mapping[str, float]) -> tuple[Phase, ...]:
    """The phases of a motion with the models and parameters of another system: unilateral constraints of the same names are closed in
    them."""
    if not motion.phases or not isinstance(system, System):
        return tuple(
            replace(phase, values=_parameter_values(phase.model, values, phase.values)) for phase in motion.phases
        )
    models: dict[tuple, Model] = {}
    ends = [*(phase.step for phase in motion.phases[1:]), len(motion.pieces)]
    for phase, end in zip(motion.phases, ends, strict=True):
        if phase.closed in models or end == phase.step:
            continue
        missing = [name for name, _ in phase.closed if name not in model_for(system).layout.unilaterals]
        if missing:
            raise StartError(
                f"the motion rests on unilateral constraint '{missing[0]}', which the other system does not have; add one of that name"
            )
        model = model_for(system.with_contacts(dict(phase.closed)))
        known = dict(zip(model.parameter_names, _parameter_values(model, values), strict=True))
        time = np.asarray(motion.pieces.times[phase.step : phase.step + 2])
        models[phase.closed] = model_on_branch(model, time, motion.pieces.state(time), known)
    phases: tuple[Phase, ...] = motion.phases
    chosen = [(phase, models.get(phase.closed, phase.model)) for phase in phases]
    return tuple(replace(phase, model=model, values=_parameter_values(model, values)) for phase, model in chosen)


def _parameter_values(model: Model, values: Mapping[str, float], own: np.ndarray | None = None) -> np.ndarray:
    """All parameters of a model in order: those named in ``values``, and its own."""
    defaults = model.parameters if own is None else dict(zip(model.parameter_names, own, strict=True))
    return np.array([values.get(name, defaults[name]) for name in model.parameter_names], dtype=float)
