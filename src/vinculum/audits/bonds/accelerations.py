"""Agreement of the compiled accelerations with the Boltzmann–Hamel equations, which are derived from the energies
alone.
"""

import numpy as np

from vinculum.audits.certificate import Line
from vinculum.compile.evaluate import evaluate_groups
from vinculum.motion.record import Record
from vinculum.motion.states import states_at, tape_rows
from vinculum.tolerances.certificates import ACCELERATIONS_BY_TWO_ROUTES
from vinculum.tolerances.samples import SECOND_ROUTE_INSTANTS


def acceleration_line(motion: Record) -> Line:
    """The residual of the Boltzmann–Hamel equations, relative to their largest term, at instants along the motion."""
    law = "Boltzmann–Hamel from energies"
    reason = "round-off between two derivations"
    if motion.model.nv == 0:
        return Line(law, 0.0, ACCELERATIONS_BY_TWO_ROUTES, reason)
    count = min(SECOND_ROUTE_INSTANTS, 4 * len(motion.pieces) + 2)
    time = np.linspace(motion.pieces.begin, motion.pieces.end, count)
    states = states_at(motion, time)
    rows = tape_rows(motion, time, states)
    v_dot = evaluate_groups(motion.model.tape("motion"), rows)["v_dot"]
    tape = motion.model.tape("hamel")
    extended = np.concatenate([rows[:, : tape.slices(tape.inputs)["a"].start], v_dot,
                               rows[:, tape.slices(tape.inputs)["a"].start :]], axis=1)  # fmt: skip
    groups = evaluate_groups(tape, extended)
    size = groups["size"].max(axis=1)
    left = np.abs(groups["residual"]).max(axis=1)
    relative = np.where(size > 0.0, left / np.where(size > 0.0, size, 1.0), np.where(left > 0.0, np.inf, 0.0))
    if not np.all(np.isfinite(groups["residual"])):
        return Line(law, float("inf"), ACCELERATIONS_BY_TWO_ROUTES, reason, "not finite")
    k = int(np.argmax(relative))
    worst = motion.model.layout.v_names[int(np.argmax(np.abs(groups["residual"][k])))]
    detail = f"'{worst}' at t = {time[k]:.4g} s" if relative[k] > ACCELERATIONS_BY_TWO_ROUTES else ""
    return Line(law, float(relative[k]), ACCELERATIONS_BY_TWO_ROUTES, reason, detail)
