"""Closed loops and constraints on a motion: their residuals, and the power of closing reactions."""

import numpy as np

from vinculum.audits.certificate import Line
from vinculum.audits.scaling.scales import finite, instant_doubt, instant_limit, relative_residual
from vinculum.audits.scaling.scatter import scatter_of
from vinculum.audits.scaling.speeds import speeds_and_turns
from vinculum.compile.evaluate import evaluate_groups
from vinculum.models.conditions.gaps import gaps_at
from vinculum.motion.record import Record
from vinculum.motion.states import recorded_states, tape_rows
from vinculum.tolerances.certificates import ACCELERATIONS_CONSTRAINED, LOOPS_CLOSED, SAFETY
from vinculum.tolerances.round_off import ROUND_OFF
from vinculum.tolerances.samples import CONDITION_INSTANTS


def closure_lines(motion: Record) -> list[Line]:
    """Gaps of the closing joints in lengths of their loops, rows of the constraints, their rates, and the power of closing joints."""
    if not motion.model.layout.gaps:
        return []
    time = np.linspace(motion.pieces.begin, motion.pieces.end, CONDITION_INSTANTS)
    states = recorded_states(motion, time, motion.pieces.state(time))
    rows = tape_rows(motion, time, states)
    at = gaps_at(motion.model, states, time, rows[:, motion.model.nq + motion.model.nv + 1 :])
    balance = evaluate_groups(motion.model.tape("balance"), rows)
    lines = residual_lines(motion, at.values, at.rates, states, time, "checked at every output instant")
    if balance["acceleration_rows"].shape[1]:
        lines.append(_acceleration_line(balance["acceleration_rows"], balance["acceleration_sizes"], time, motion))
    if balance["reaction_power"].shape[1]:
        lines.append(_power_line(motion, balance, instant_limit(motion, LOOPS_CLOSED)))
    return lines


def residual_lines(
    motion: Record, values: np.ndarray, rates: np.ndarray, states: np.ndarray, time: np.ndarray, reason: str
) -> list[Line]:
    """All gaps (T, m) in parts of the largest coordinate, and their rates in parts of the largest velocity, if these are above one.

    ``reason``: where they were checked.
    """
    layout, nq, claimed = motion.model.layout, motion.model.nq, motion.method.tolerance
    if motion.method.claims.name == "given" and claimed is not None:
        reason = f"claimed accuracy {claimed:g}"
    admitted = instant_limit(motion, LOOPS_CLOSED)
    arm, speed = (max(1.0, float(np.abs(x).max(initial=0.0))) for x in (states[:, :nq], states[:, nq:]))
    constrained = np.array([name in layout.constraints for name, _ in layout.gaps])
    levels, lines = np.array(layout.levels), []
    for law, own in (("closed loops", ~constrained), ("constraints", constrained & (levels < 2))):
        chosen, on_places = np.flatnonzero(own).tolist(), np.flatnonzero(own & (levels == 0)).tolist()
        if on_places:
            lines.append(_line(law, values / arm, time, motion, admitted, reason, on_places))
        if chosen:
            name = f"{law}, rates" if on_places else f"{law} on velocities"
            lines.append(_line(name, rates / speed, time, motion, admitted, reason, chosen))
    return lines


def _line(law: str, gaps, time, motion: Record, admitted: float, reason: str, chosen: list[int]) -> Line:
    size = np.where(np.isfinite(gaps), np.abs(gaps), np.inf)[:, chosen]
    k, worst = np.unravel_index(int(np.argmax(size)), size.shape)
    name, label = motion.model.layout.gaps[chosen[worst]]
    residual = float(size[k, worst])
    what = f"row {label}" if name in motion.model.layout.constraints else f"gap '{label}'"
    detail = f"{what} of '{name}' at t = {time[k]:.4g} s" if residual > admitted else ""
    return Line(law, residual, admitted, reason, detail, instant_doubt(motion, admitted))


def _acceleration_line(rows: np.ndarray, sizes: np.ndarray, time, motion: Record) -> Line:
    """F of constraints on accelerations, at the accelerations of the equations of motion. They have no lower level that could drift."""
    size = np.maximum(sizes.max(axis=0), np.finfo(float).tiny)
    left = np.where(np.isfinite(rows), np.abs(rows) / size, np.inf)
    k, worst = np.unravel_index(int(np.argmax(left)), left.shape)
    gaps = [gap for gap, level in zip(motion.model.layout.gaps, motion.model.layout.levels, strict=True) if level == 2]
    name, label = gaps[worst]
    detail = f"row {label} of '{name}' at t = {time[k]:.4g} s" if left[k, worst] > ACCELERATIONS_CONSTRAINED else ""
    return Line(
        "constraints on accelerations",
        float(left[k, worst]),
        ACCELERATIONS_CONSTRAINED,
        "at the accelerations of the equations",
        detail,
    )


def _power_line(motion: Record, balance: dict[str, np.ndarray], admitted: float) -> Line:
    """The power of ideal reactions, which should vanish, relative to forces times speeds of all bodies."""
    power = float(finite(balance["reaction_power"]).sum(axis=1).max())
    own = float(balance["reaction_size"].sum(axis=1).max())
    span = motion.pieces.end - motion.pieces.begin
    speeds, scattered = scatter_of(motion).scale_of_speeds(motion, speeds_and_turns(balance, span))
    whole = float((balance["reaction_sizes"] @ speeds).max())
    residual, limit = relative_residual(power, own, whole, SAFETY * admitted, SAFETY * max(ROUND_OFF, scattered))
    return Line(
        "power of closing reactions", residual, limit, "ideal joints", doubt=SAFETY * instant_doubt(motion, admitted)
    )
