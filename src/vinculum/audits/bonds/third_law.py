"""Bonds on a motion: Newton's third law for each of them, and the power of potentials."""

import numpy as np

from vinculum.audits.certificate import Line
from vinculum.audits.scaling.scales import finite, moment_scale
from vinculum.compile.evaluate import evaluate_groups
from vinculum.equations.observables.bond_loads import third_law
from vinculum.motion.record import Record
from vinculum.motion.states import states_at, tape_rows
from vinculum.tolerances.certificates import ACTIONS_PAIRED, REACTIONS_IN_BALANCE
from vinculum.tolerances.round_off import TINY
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
    law, worst, where = "Newton's third law", 0.0, ""
    sizes = {name: found[f"{name}/points"].shape[1] // 3 for name in inside}
    for n in sorted(set(sizes.values())):
        names = [name for name in inside if sizes[name] == n]
        relative = _residuals(found, names, n, len(time))
        t, k = np.unravel_index(int(np.argmax(relative.max(axis=2))), relative.shape[:2])
        if relative[t, k].max() > worst:
            worst, where = float(relative[t, k].max()), f"bond '{names[k]}' at t = {time[t]:.4g} s"
    reason = f"forces and moments of {len(inside)} bond{'s' * (len(inside) != 1)} in pairs"
    reason += f"; from outside: {', '.join(outside[:6])}{'…' * (len(outside) > 6)}" if outside else ""
    return Line(law, worst, ACTIONS_PAIRED, reason, where if worst > ACTIONS_PAIRED else "")


def _residuals(found: dict, names: list[str], n: int, count: int) -> np.ndarray:
    """Relative residuals (T, K, 6) of K bonds between n bodies at T instants."""
    efforts = np.stack([found[f"{name}/efforts"].reshape(count, n, 6) for name in names], axis=1)
    points = np.stack([found[f"{name}/points"].reshape(count, n, 3) for name in names], axis=1)
    none = np.zeros((count, 1))
    terms = np.stack([found.get(f"{name}/moment size", none)[:, 0] for name in names], axis=1)
    one_by_one = (x.reshape(-1, *x.shape[2:]) for x in (efforts, points, terms))
    residual, size = (x.reshape(count, len(names), 6) for x in third_law(*one_by_one))
    size, largest = size.max(axis=0), np.abs(efforts[..., :3]).sum(axis=(2, 3)).max(axis=0)
    moments = moment_scale(size[:, 3], np.abs(points).max(axis=(0, 2, 3)), largest)
    scale = np.concatenate([np.maximum(size[:, :3], TINY), np.repeat(moments[:, None], 3, axis=1)], axis=1)
    return finite(residual / scale)


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
