"""Prescribed bodies on a motion: the power of their drives by two routes."""

import numpy as np

from vinculum.audits.certificate import Line
from vinculum.motion.record import Record
from vinculum.motion.states import states_at, tape_groups
from vinculum.tolerances.certificates import PRESCRIBED_BY_TWO_ROUTES
from vinculum.tolerances.samples import SECOND_ROUTE_INSTANTS


def drive_lines(motion: Record) -> list[Line]:
    """The power of drives by their wrenches against the work of joints, actions and inertia; no line without such bodies.

    O'Reilly and Srinivasa, On Potential Energies and Constraints in the Dynamics of Rigid Bodies and Particles, (38).
    """
    names = motion.model.layout.prescribed
    if not names:
        return []
    law, reason = "prescribed bodies", "power of the drives, by wrenches and by work"
    time = np.linspace(motion.pieces.begin, motion.pieces.end, SECOND_ROUTE_INSTANTS)
    states = states_at(motion, time)
    found = tape_groups(motion, "drives", time, states)
    apart = np.abs(found["by_wrench"] - found["by_work"])
    apart = np.where(np.isfinite(apart), apart, np.inf)
    size = np.maximum(found["size"].max(axis=0), np.finfo(float).tiny)
    k, worst = np.unravel_index(int(np.argmax(apart / size)), apart.shape)
    residual = float(apart[k, worst] / size[worst])
    detail = f"'{names[worst]}' at t = {time[k]:.4g} s" if residual > PRESCRIBED_BY_TWO_ROUTES else ""
    return [Line(law, residual, PRESCRIBED_BY_TWO_ROUTES, reason, detail)]
