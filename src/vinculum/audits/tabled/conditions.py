"""Constraints and closed loops over tables on a motion: their residuals, third law, and the work of their reactions."""

import numpy as np

from vinculum.audits.bonds.closed_loops import residual_lines
from vinculum.audits.certificate import Line
from vinculum.audits.scaling.scales import finite, instant_limit, moment_scale, relative_residual
from vinculum.audits.scaling.scatter import scatter_of
from vinculum.audits.scaling.speeds import speeds_and_turns
from vinculum.compile.evaluate import evaluate_groups
from vinculum.equations.observables.bond_loads import third_law
from vinculum.models.tabled.tabled import Tabled
from vinculum.models.tabled.type import tabled_in
from vinculum.motion.record import Record
from vinculum.motion.states import recorded_states, tape_rows
from vinculum.tolerances.certificates import ACTIONS_PAIRED, LOOPS_CLOSED, REACTIONS_IN_BALANCE, SAFETY
from vinculum.tolerances.round_off import ROUND_OFF, TINY
from vinculum.tolerances.samples import CONDITION_INSTANTS, PAIR_FORCE_INSTANTS, ROWS_OF_CONDITIONS


def condition_lines(motion: Record) -> list[Line]:
    """Gaps and their rates, forces and moments in pairs, and powers of reactions by efforts and by rows."""
    if not tabled_in(motion.model).conditions:
        return []
    tabled = tabled_in(motion.model)
    most = min(CONDITION_INSTANTS, max(PAIR_FORCE_INSTANTS, ROWS_OF_CONDITIONS // tabled.gaps))
    time, states = _samples(motion, most)
    return [*gap_lines(motion, time, states, f"at {len(time)} instants"), *reaction_lines(motion)]


def gap_lines(motion: Record, time: np.ndarray, states: np.ndarray, where: str) -> list[Line]:
    """Gaps and their rates at states (T, n). ``where``: in words."""
    found = evaluate_groups(motion.model.tape("rates"), tape_rows(motion, time, states))
    reason = f"{tabled_in(motion.model).gaps} rows {where}"
    return residual_lines(motion, found["gaps"], found["gap_rates"], states, time, reason)


def reaction_lines(motion: Record) -> list[Line]:
    """Forces and moments of reactions in pairs, and their powers by efforts and by rows."""
    tabled, (time, states) = tabled_in(motion.model), _samples(motion, PAIR_FORCE_INSTANTS)
    rows = tape_rows(motion, time, states)
    bonds = evaluate_groups(motion.model.tape("bonds"), rows)
    return [*_third_law(motion, tabled, time, rows, bonds), _work(motion, tabled, time, rows, bonds)]


def _samples(motion: Record, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Instants, evenly over a run, and the states there."""
    time = np.linspace(motion.pieces.begin, motion.pieces.end, count)
    return time, recorded_states(motion, time, motion.pieces.state(time))


def _third_law(
    motion: Record, tabled: Tabled, time: np.ndarray, rows: np.ndarray, bonds: dict[str, np.ndarray]
) -> list[Line]:
    """The worst of Σ F and Σ (M + x × F) over all conditions between bodies alone, relative to their largest efforts."""
    layout, bodies = motion.model.layout, evaluate_groups(motion.model.tape("bodies"), rows)
    worst, where, count = 0.0, "", 0
    names = sorted(layout.bodies, key=lambda name: layout.bodies[name].index)
    for table in tabled.conditions:
        for name, ends in zip(table.names, table.ends.tolist(), strict=True):
            if any(table.grounded) or (name in layout.constraints and layout.constraints[name].external):
                continue
            efforts = bonds[f"{name}/efforts"].reshape(len(time), -1, 6)
            points = np.stack([bodies[f"{names[i]}/position"] for i in ends], axis=1)
            residual, size = third_law(efforts, points, 0.0)
            size, largest = size.max(axis=0), float(np.abs(efforts[..., :3]).sum(axis=(1, 2)).max())
            moments = moment_scale(size[3:], np.abs(points).max(), np.array(largest))
            relative = finite(residual) / np.concatenate([np.maximum(size[:3], TINY), moments])
            if relative.max() > worst:
                worst, where = (
                    float(relative.max()),
                    f"'{name}' at t = {time[int(np.argmax(relative.max(axis=1)))]:.4g} s",
                )
            count += 1
    reason = f"reactions of {count} conditions in pairs"
    told = where if worst > ACTIONS_PAIRED else ""
    return [Line("third law of reactions", worst, ACTIONS_PAIRED, reason, told)] if count else []


def _work(motion: Record, tabled: Tabled, time: np.ndarray, rows: np.ndarray, bonds: dict[str, np.ndarray]) -> Line:
    """The power of the efforts of every condition on its bodies against −λ d by the drifts d of its rows, relative to forces times
    velocities."""
    speeds = speeds_and_turns(
        evaluate_groups(motion.model.tape("balance"), rows), motion.pieces.end - motion.pieces.begin
    )
    speeds, scattered = scatter_of(motion).scale_of_speeds(motion, speeds)
    admitted = instant_limit(motion, REACTIONS_IN_BALANCE)
    model, states = motion.model, motion.model.nq + motion.model.nv
    grown = float(model.type.growth_of_round_off(model, rows[:, :states], time, rows[:, states + 1 :]).max())
    noise = max(10.0 * grown * ROUND_OFF, LOOPS_CLOSED, SAFETY * scattered)
    worst, allowed, where, count = 0.0, admitted, "", 0
    for name in (name for table in tabled.conditions for name in table.names):
        apart = finite(bonds[f"{name}/work"] - bonds[f"{name}/by rows"])[:, 0]
        efforts = np.abs(bonds[f"{name}/efforts"]).reshape(len(time), -1, 2, 3).sum(axis=(1, 3))
        own, whole = float(bonds[f"{name}/work size"].max()), float((efforts @ speeds).max())
        residual, limit = relative_residual(float(apart.max()), own, whole, admitted, noise)
        if residual / limit > worst / allowed:
            worst, allowed, where = residual, limit, f"'{name}' at t = {time[int(np.argmax(apart))]:.4g} s"
        count += 1
    return Line(
        "work of reactions", worst, allowed, f"efforts and rows of {count} conditions", where if worst > allowed else ""
    )
