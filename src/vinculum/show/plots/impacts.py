"""Plots of impacts and contact: gaps, impulses, and statistics of the contact solver."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.motion.record import Record
from vinculum.motion.states import states_at, tape_groups
from vinculum.show.plots.panels import Panel
from vinculum.tolerances.certificates import NOT_DRAWN
from vinculum.tolerances.sizes import JUMPS_DRAWN, UNILATERALS_NAMED


@final
@dataclass(frozen=True, eq=False)
class Curves:
    """Coordinates and velocities of a motion on its grid; both limits of the velocities where impacts are, so that they jump upright."""

    time: np.ndarray
    q: np.ndarray
    v: np.ndarray


def instants_with_impacts(motion: Record) -> tuple[np.ndarray, np.ndarray]:
    """The grid and the instants of impacts, these twice (T,); and where the limit from the left is meant, (T,) bool."""
    if motion.atoms is None or not 0 < len(motion.atoms) <= JUMPS_DRAWN or not len(motion.time):
        return motion.time, np.zeros(len(motion.time), dtype=bool)
    inside = motion.atoms.times
    inside = inside[(inside > motion.time[0]) & (inside <= motion.time[-1])]
    time = np.union1d(motion.time, inside)
    twice = np.repeat(np.arange(len(time)), 1 + np.isin(time, inside))
    return time[twice], np.append(twice[:-1] == twice[1:], False)


def curves_of(motion: Record) -> Curves:
    """The states to draw, with jumps."""
    time, before = instants_with_impacts(motion)
    if not before.any():
        return Curves(motion.time, motion.q, motion.v)
    seen = motion.at(time)
    return Curves(time, seen.q, np.where(before[:, None], seen.left_v, seen.v))


def impact_panels(motion: Record) -> list[Panel]:
    """Gaps and normal impulses of unilateral constraints; of many the least gap and the sum."""
    names = list(motion.model.layout.unilaterals)
    if not names or not len(motion.time):
        return []
    gaps = tape_groups(motion, "unilaterals", motion.time, states_at(motion, motion.time))["gaps"]
    few = len(names) <= UNILATERALS_NAMED
    unit = "m" if any(body in motion.model.layout.bodies for body in _things(motion)) else "m or rad"
    panels = [
        Panel(f"gap [{unit}]", names, gaps)
        if few
        else Panel(f"least gap [{unit}]", ["of all"], gaps.min(axis=1)[:, None])
    ]
    if motion.atoms is None or not len(motion.atoms):
        return panels
    normal = motion.atoms.contact_impulses[:, ::3]
    hit = np.where(normal > 0.0, normal, np.nan) if few else normal.sum(axis=1)[:, None]
    return [*panels, Panel("impulse [N s]", names if few else ["sum"], hit, 1.0, motion.atoms.times, "stem")]


def contact_panels(motion: Record) -> list[Panel]:
    """Contacts, residuals and penetrations of shapes that meet."""
    contact_solver = motion.contact_solver
    if contact_solver is None or not len(contact_solver):
        return []
    asked = motion.method.tolerance
    residual = [
        shown_on_logarithm(contact_solver.residual),
        *([] if asked is None else [np.full(len(contact_solver), asked)]),
    ]
    rows = (("contacts", ["looked at"], contact_solver.contacts[:, None], False),
            ("residual of impulses", ["of each step", "tolerance"][: len(residual)], np.stack(residual, axis=1), True),
            ("penetration [m]", ["deepest"], shown_on_logarithm(contact_solver.penetration)[:, None], True))  # fmt: skip
    return [Panel(label, names, values, 1.0, contact_solver.times, "line", log) for label, names, values, log in rows]


def shown_on_logarithm(values: np.ndarray) -> np.ndarray:
    """Values for a logarithmic axis; what is zero to round-off is left out."""
    return np.where(values > NOT_DRAWN, values, np.nan)


def _things(motion: Record) -> set[str]:
    return {name for entry in motion.model.layout.unilaterals.values() for name in entry.bodies}
