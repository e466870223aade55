"""Joints on a motion: whether they transmit along their velocities what is exerted there, and nothing else."""

import numpy as np

from vinculum.audits.certificate import Line
from vinculum.audits.reactions import KNOWN
from vinculum.kernels.closed_loops import loop_conditions
from vinculum.kernels.evaluate import evaluate_groups
from vinculum.motion import Motion
from vinculum.motion.states import states_at, tape_rows

INSTANTS = 512
IDEAL = 1e-11
ROUND_OFF = 2.0**-52


def joint_effort_lines(motion: Motion) -> list[Line]:
    """The wrench of every joint, from the motion of all that it carries, along the joint's velocities, against springs, dampers, drives and
    constraints there; no line without joints.

    Balances of momentum take a joint's wrench for what it is, so an effort that is wrong elsewhere is found here alone. Cheremensky (22).
    """
    model = motion.model
    time = np.linspace(motion.pieces.begin, motion.pieces.end, INSTANTS)
    rows = tape_rows(motion, time, states_at(motion, time))
    found = evaluate_groups(model.tape("bonds"), rows)
    names = [name for name in model.layout["joints"] if f"{name}/unexplained" in found]
    if not names:
        return []
    first = model.nq + model.nv
    condition = loop_conditions(model, rows[:, :first], time, rows[:, first + 1 :])[:, 0]
    known = condition <= max(KNOWN, condition.min())
    time, condition = time[known], condition[known]
    found = {name: values[known] for name, values in found.items()}
    worst, allowed, where = 0.0, IDEAL, ""
    largest = max(float(found[f"{name}/effort size"].max()) for name in names)
    for name in names:
        size = np.maximum(found[f"{name}/effort size"].max(), np.finfo(float).eps * largest) + np.finfo(float).tiny
        left = np.abs(found[f"{name}/unexplained"]).max(axis=1) / size
        left = np.where(np.isfinite(left), left, np.inf)
        limit = max(IDEAL, 10.0 * float(condition.max()) * ROUND_OFF)
        if left.max() / limit > worst / allowed:
            worst, allowed = float(left.max()), limit
            where = f"'{name}' at t = {time[int(np.argmax(left))]:.4g} s"
    reason = f"Sᵀ F of {len(names)} joint{'s' * (len(names) != 1)}, relative to the efforts that meet there"
    return [Line("joints transmit what they exert", worst, allowed, reason, where if worst > allowed else "")]
