"""Servos on a motion: whether the required efforts stay within their bounds."""

import numpy as np

from vinculum.audits.certificate import Line
from vinculum.motion.reactions.servos import servo_names
from vinculum.motion.record import Record
from vinculum.motion.views import BondMotion
from vinculum.tolerances.certificates import WITHIN_BOUNDS


def servo_lines(motion: Record) -> list[Line]:
    """For every servo with bounds, by how much its efforts exceed them, relative to the bounds. The power of all servos is part of the
    energy balance."""
    lines = []
    for name in servo_names(motion, None):
        if motion.model.layout.constraints[name].bounds is None:
            continue
        beyond = BondMotion(motion, name).excess
        worst = max(beyond, key=lambda one: one.relative, default=None)
        residual = 0.0 if worst is None else float(worst.relative)
        detail = (
            ""
            if worst is None
            else f"effort {worst.row} first at t = {worst.first:.6g} s, {worst.largest:.4g} at {worst.at:.4g} s"
        )
        lines.append(Line(f"bounds of servo '{name}'", residual if np.isfinite(residual) else np.inf, WITHIN_BOUNDS,
                          "efforts that the program needs", detail))  # fmt: skip
    return lines
