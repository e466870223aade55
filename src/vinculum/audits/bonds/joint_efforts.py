"""Joints on a motion: the components of their wrenches along their velocities equal the forces exerted there."""

import numpy as np

from vinculum.audits.certificate import Line
from vinculum.audits.scaling.scales import finite, relative_residual
from vinculum.compile.evaluate import evaluate_groups
from vinculum.models.conditions.closed_loops import loop_conditions
from vinculum.motion.record import Record
from vinculum.motion.states import states_at, tape_rows
from vinculum.tolerances.certificates import IDEAL_JOINTS, REACTIONS_KNOWN
from vinculum.tolerances.round_off import ROUND_OFF
from vinculum.tolerances.samples import CONDITION_INSTANTS


def joint_effort_lines(motion: Record) -> list[Line]:
    """The component of every joint's wrench along the joint's velocities, compared with springs, dampers, drives and constraints there.

    The wrench follows from the motion of all bodies that the joint carries. No line without joints. The scale: the forces and moments that
    balance in the joint, along each of its velocities; if round-off of the whole system hides them, those of the whole system. Balances of
    momentum use a joint's wrench as it is, so only this line detects an effort that is wrong elsewhere. Cheremensky (22).
    """
    model = motion.model
    time = np.linspace(motion.pieces.begin, motion.pieces.end, CONDITION_INSTANTS)
    rows = tape_rows(motion, time, states_at(motion, time))
    found = evaluate_groups(model.tape("bonds"), rows)
    names = [name for name in model.layout.joints if f"{name}/unexplained" in found]
    if not names:
        return []
    first = model.nq + model.nv
    condition = loop_conditions(model, rows[:, :first], time, rows[:, first + 1 :])[:, 0]
    known = condition <= max(REACTIONS_KNOWN, condition.min())
    time, condition = time[known], condition[known]
    found = {name: values[known] for name, values in found.items()}
    noise = 10.0 * float(condition.max()) * ROUND_OFF
    worst, allowed, where = 0.0, IDEAL_JOINTS, ""
    for name in names:
        left = finite(found[f"{name}/unexplained"])
        own = found[f"{name}/effort size"].max(axis=0)
        whole = found[f"{name}/system size"].max(axis=0)
        for k in range(left.shape[1]):
            residual, limit = relative_residual(float(left[:, k].max()), own[k], whole[k], IDEAL_JOINTS, noise)
            if residual / limit > worst / allowed:
                worst, allowed = residual, limit
                where = f"'{name}' at t = {time[int(np.argmax(left[:, k]))]:.4g} s"
    reason = f"Sᵀ F of {len(names)} joint{'s' * (len(names) != 1)}, relative to the efforts that balance there"
    return [Line("joints transmit what they exert", worst, allowed, reason, where if worst > allowed else "")]
