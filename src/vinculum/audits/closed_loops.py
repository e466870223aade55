"""Closed loops on a motion: whether they stay closed, and whether the joints that close them do no work."""

import numpy as np

from vinculum.audits.certificate import Line
from vinculum.audits.rest import sizing_states
from vinculum.kernels.closed_loops import gaps_at
from vinculum.kernels.evaluate import evaluate_groups
from vinculum.motion import Motion
from vinculum.motion.states import recorded_states, tape_rows

INSTANTS = 512
CLOSED = 1e-12
SAFETY = 10.0


def closure_lines(motion: Motion) -> list[Line]:
    """Gaps of the closing joints in lengths of their loops, their rates, and the power of their reactions."""
    if not motion.model.layout["gaps"]:
        return []
    time = np.linspace(motion.pieces.begin, motion.pieces.end, INSTANTS)
    states = recorded_states(motion, time, motion.pieces.state(time))
    rows = tape_rows(motion, time, states)
    at = gaps_at(motion.model, states, time, rows[:, motion.model.nq + motion.model.nv + 1 :])
    balance = evaluate_groups(motion.model.tape("balance"), rows)
    sizing = evaluate_groups(motion.model.tape("balance"), tape_rows(motion, time, sizing_states(motion, states)))
    claimed = motion.method.tolerance if motion.method.claims.name == "given" else None
    admitted, reason = CLOSED, "loops are closed at every instant that is given out"
    if claimed is not None:
        admitted, reason = max(CLOSED, 10.0 * claimed), f"claimed accuracy {claimed:g}"
    arm = max(1.0, float(np.abs(states[:, : motion.model.nq]).max(initial=0.0)))
    speed = max(1.0, float(np.abs(states[:, motion.model.nq :]).max(initial=0.0)))
    return [
        _line("closed loops", at.values / arm, time, motion, admitted, reason),
        _line("closed loops, rates", at.rates / speed, time, motion, admitted, reason),
        _power_line(balance["reaction_power"], sizing["reaction_size"], admitted),
    ]


def _line(law: str, gaps: np.ndarray, time: np.ndarray, motion: Motion, admitted: float, reason: str) -> Line:
    size = np.where(np.isfinite(gaps), np.abs(gaps), np.inf)
    k, worst = np.unravel_index(int(np.argmax(size)), size.shape)
    joint, label = motion.model.layout["gaps"][worst]
    residual = float(size[k, worst])
    detail = f"gap '{label}' of '{joint}' at t = {time[k]:.4g} s" if residual > admitted else ""
    return Line(law, residual, admitted, reason, detail)


def _power_line(powers: np.ndarray, sizes: np.ndarray, admitted: float) -> Line:
    """The power of ideal reactions vanishes; it is measured against forces times speeds."""
    power = float(np.abs(powers).sum(axis=1).max())
    size = max(float(sizes.sum(axis=1).max()), np.finfo(float).tiny)
    return Line("power of closing reactions", power / size if power else 0.0, SAFETY * admitted, "ideal joints")
