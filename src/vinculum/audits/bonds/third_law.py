"""Bonds on a motion: Newton's third law for each of them, and the power of potentials."""

import numpy as np

from vinculum.audits.certificate import Line
from vinculum.compile.evaluate import evaluate_groups
from vinculum.equations.observables.bond_loads import third_law
from vinculum.motion.record import Record
from vinculum.motion.states import states_at, tape_rows
from vinculum.tolerances.certificates import ACTIONS_PAIRED, REACTIONS_IN_BALANCE
from vinculum.tolerances.round_off import MOMENT_ROUND_OFF
from vinculum.tolerances.samples import THIRD_LAW_INSTANTS


def bond_lines(motion: Record) -> list[Line]:
    """Third law (24), (25) of every joint and action, and for every energy −dU/dt against the power of its efforts, at every
    recorded instant. O'Reilly and Srinivasa, On Potential Energies and Constraints in the Dynamics of Rigid Bodies and Particles.
    """
    layout = motion.model.layout
    chosen = np.unique(np.linspace(0, len(motion.time) - 1, min(len(motion.time), THIRD_LAW_INSTANTS)).astype(int))
    time = motion.time[chosen]
    if not len(time):
        return []
    rows = tape_rows(motion, time, states_at(motion, time))
    found = evaluate_groups(motion.model.tape("bonds"), rows)
    actions = layout.actions
    outside = [name for name, entry in actions.items() if entry.external]
    tied = [name for name in layout.joints if name not in layout.bodies]  # a free body's joint has its name
    held = {name: entry for name, entry in layout.constraints.items() if entry.on}
    outside += [name for name, entry in held.items() if entry.external]
    inside = [name for name in (*tied, *layout.closing, *actions, *held) if name not in outside]
    outside += [f"drive of '{name}'" for name in layout.prescribed] + ["gravity"] * layout.weighs
    lines = [_third_law(found, inside, outside, time)] if inside else []
    energies = [name for name in actions if np.any(found[f"{name}/size"] != 0.0)]
    return lines + ([_power(found, energies, time)] if energies else [])


def _third_law(found: dict, inside: list[str], outside: list[str], time: np.ndarray) -> Line:
    """The worst of Σ F and Σ (M + x × F) over all bonds, relative to the largest efforts of the bond in the motion."""
    law, worst, admitted, where = "Newton's third law", 0.0, ACTIONS_PAIRED, ""
    for name in inside:
        efforts, points = (
            found[f"{name}/{what}"].reshape(len(time), -1, n) for what, n in (("efforts", 6), ("points", 3))
        )
        terms = found[f"{name}/moment size"][:, 0] if f"{name}/moment size" in found else 0.0
        residual, size = third_law(efforts, points, terms)
        size = np.maximum(size.max(axis=0), np.finfo(float).tiny)
        relative = np.abs(residual) / size
        relative = np.where(np.isfinite(relative), relative, np.inf)
        # lever arms are differences of positions in the world, which are rounded
        rounded = (
            MOMENT_ROUND_OFF * float(np.abs(points).max() * np.abs(efforts[..., :3]).sum(axis=(1, 2)).max()) / size[3]
        )
        for part, allowed in ((relative[:, :3], ACTIONS_PAIRED), (relative[:, 3:], max(ACTIONS_PAIRED, rounded))):
            if part.max() / allowed > worst / admitted:
                worst, admitted = float(part.max()), allowed
                where = f"bond '{name}' at t = {time[int(np.argmax(part.max(axis=1)))]:.4g} s"
    reason = f"forces and moments of {len(inside)} bond{'s' * (len(inside) != 1)} in pairs"
    reason += f"; from outside: {', '.join(outside[:6])}{'…' * (len(outside) > 6)}" if outside else ""
    return Line(law, worst, admitted, reason, where if worst > admitted else "")


def _power(found: dict, names: list[str], time: np.ndarray) -> Line:
    worst, where = 0.0, ""
    for name in names:
        gap = np.abs(found[f"{name}/power"] + found[f"{name}/rate"])[:, 0]
        size = max(float(found[f"{name}/size"].max()), np.finfo(float).tiny)
        relative = np.where(np.isfinite(gap), gap / size, np.inf)
        if relative.max() > worst:
            worst, where = float(relative.max()), f"'{name}' at t = {time[int(np.argmax(relative))]:.4g} s"
    return Line(
        "power of potentials",
        worst,
        REACTIONS_IN_BALANCE,
        "−dU/dt of each energy, differentiated two ways",
        where if worst > REACTIONS_IN_BALANCE else "",
    )
