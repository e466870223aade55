"""Reactions of constraints on a motion: the work of their efforts agrees with their rows; for most it is zero."""

import numpy as np

from vinculum.audits.certificate import Line
from vinculum.audits.scaling.scales import finite, instant_limit, relative_residual
from vinculum.audits.scaling.scatter import scatter_of
from vinculum.audits.scaling.speeds import speeds_and_turns
from vinculum.compile.evaluate import evaluate_groups
from vinculum.models.conditions.closed_loops import loop_conditions
from vinculum.motion.record import Record
from vinculum.motion.states import states_at, tape_rows
from vinculum.tolerances.certificates import LOOPS_CLOSED, NO_REACTION, REACTIONS_IN_BALANCE, REACTIONS_KNOWN, SAFETY
from vinculum.tolerances.round_off import ROUND_OFF
from vinculum.tolerances.samples import CONDITION_INSTANTS


def reaction_lines(motion: Record) -> list[Line]:
    """The power of every constraint's efforts on its bodies and joints, compared with its rows: −λ ∂F/∂t of rows on
    positions, −λ c of linear ones with a drift c, λ v·∂F/∂v of others, λ v·∂F/∂v̇ of rows on accelerations, λ B v of
    named efforts; no line without constraints.

    The scale: forces times velocities of the bodies and joints of a constraint; if round-off of the velocities of all
    bodies hides these, its forces times those. Constraints on accelerations and efforts of servos always count as
    doing work. Constraints that add to the Lagrangian have lines of their own. Gołubowska (41), (57), (79)–(86).
    """
    layout = motion.model.layout
    names = [name for name, entry in layout.constraints.items() if not entry.varies]
    if not names:
        return []
    time = np.linspace(motion.pieces.begin, motion.pieces.end, CONDITION_INSTANTS)
    states = states_at(motion, time)
    rows = tape_rows(motion, time, states)
    condition = loop_conditions(motion.model, states, time, rows[:, motion.model.nq + motion.model.nv + 1 :])[:, 0]
    known = condition <= max(REACTIONS_KNOWN, condition.min())
    time, states, rows, condition = time[known], states[known], rows[known], condition[known]
    found = evaluate_groups(motion.model.tape("bonds"), rows)
    speeds = speeds_and_turns(
        evaluate_groups(motion.model.tape("balance"), rows), motion.pieces.end - motion.pieces.begin
    )
    speeds, scattered = scatter_of(motion).scale_of_speeds(motion, speeds)
    admitted = instant_limit(motion, REACTIONS_IN_BALANCE)
    worst, allowed, where = 0.0, admitted, ""
    idle, busy, named = [], [], []
    # velocities along the rows are judged by their own line, and reactions do work on what it admits
    noise = max(10.0 * float(condition.max()) * ROUND_OFF, LOOPS_CLOSED, SAFETY * scattered)
    for name in names:
        power, by_rows = (found[f"{name}/{what}"][:, 0] for what in ("work", "by rows"))
        own = float(found[f"{name}/work size"].max())
        whole = float((found[f"{name}/effort sizes"] @ speeds).max())
        claims = layout.constraints[name].level < 2 and np.abs(by_rows).max() <= NO_REACTION * max(own, noise * whole)
        (named if layout.constraints[name].directed else idle if claims else busy).append(name)
        apart = finite(power - by_rows)
        residual, limit = relative_residual(float(apart.max()), own, whole, admitted, noise)
        if residual / limit > worst / allowed:
            worst, allowed = residual, limit
            where = f"'{name}' at t = {time[int(np.argmax(apart))]:.4g} s"
    told = [f"no work by {_name_list(idle)}"] * bool(idle) + [f"work from the rows of {_name_list(busy)}"] * bool(busy)
    told += [f"work of the named efforts of {_name_list(named)}"] * bool(named)
    return [Line("work of reactions", worst, allowed, "; ".join(told), where if worst > allowed else "")]


def _name_list(names: list[str]) -> str:
    return ", ".join(f"'{name}'" for name in names[:4]) + "…" * (len(names) > 4)
