"""Phase portraits: the rate of a coordinate over the coordinate."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.errors import StartError
from vinculum.models.layout import JointEntry
from vinculum.motion.record import Record
from vinculum.show.plots.impacts import instants_with_impacts
from vinculum.show.plots.kinds import Asked
from vinculum.show.plots.over_time import joints_to_show
from vinculum.show.plots.panels import COLORS, DASHES, put_legend, steps_note, tidy_axes, weight_of, write_notes
from vinculum.tolerances.certificates import ROUND_OFF_DRAWN

ACROSS = 3
"""Portraits in one row."""
MOST = 6
"""Portraits shown unless some are named."""


@final
@dataclass(frozen=True, eq=False)
class Orbit:
    """A coordinate and its rate along a motion, (T,) each; ``label``: of which motion."""

    label: str
    q: np.ndarray
    rate: np.ndarray


def plot_phases(motion: Record, asked: Asked) -> Any:
    """The rates of the coordinates of joints over the coordinates, one portrait for each."""
    entries = joints_to_show(motion, list(asked.names))[0] if asked.names else list(motion.model.layout.joints.values())
    places, notes = _places(motion, entries, bool(asked.names))
    layout = motion.model.layout
    seen = {"": _states(motion)} | {label: _states(one) for label, one in asked.others}
    for label, one in asked.others:
        if [one.model.layout.q_names[i] for i in places if i < one.model.nq] != [layout.q_names[i] for i in places]:
            raise StartError(
                f"the motion '{label}' of '{one.model.name}' has other coordinates; give one of the same joints"
            )
    portraits = {
        (layout.q_names[i], layout.q_units[i]): [Orbit(label, q[:, i], rate[:, i]) for label, (q, rate) in seen.items()]
        for i in places
    }
    return draw_portraits(motion, portraits, notes)


def draw_portraits(motion: Any, portraits: dict[tuple[str, str], list[Orbit]], notes: Sequence[str] = ()) -> Any:
    """Orbits by the name and unit of their coordinate; a ring is where each begins, a dot where it ends."""
    from vinculum.show.figures import new_figure

    across = min(ACROSS, len(portraits))
    rows = -(-len(portraits) // across)
    figure = new_figure(1.0 + 3.4 * max(across, 2), 0.9 + 3.0 * rows, layout="constrained")
    axes = figure.subplots(rows, across, squeeze=False).ravel()
    for ax, ((name, unit), orbits) in zip(axes, portraits.items(), strict=False):
        for k, orbit in enumerate(orbits):
            color = COLORS[k % len(COLORS)]
            style = DASHES[k % len(DASHES)]
            weight, label = weight_of(k, len(orbits) > 1), orbit.label or "this motion"
            ax.plot(orbit.q, orbit.rate, color=color, linestyle=style, label=f" {label}", **weight)
            ax.plot(orbit.q[:1], orbit.rate[:1], "o", color=color, markerfacecolor="white", markersize=5)
            ax.plot(orbit.q[-1:], orbit.rate[-1:], "o", color=color, markersize=5)
        ax.set_xlabel(f"{name}{_in(unit)}", parse_math=False)
        ax.set_ylabel(f"rate of {name}{_in(_per_second(unit))}", parse_math=False)
        tidy_axes(ax)
        ax.ticklabel_format(style="sci", scilimits=(-3, 4), useMathText=True)
    for ax in axes[len(portraits) :]:
        ax.set_visible(False)
    figure.suptitle(motion.model.name, x=0.01, ha="left", fontweight="bold", fontsize=13, parse_math=False)
    if any(len(orbits) > 1 for orbits in portraits.values()):
        put_legend(axes[across - 1])
    write_notes(figure, [f"{steps_note(motion)}; a ring is the start, a dot the end", *notes])
    return figure


def _places(motion: Record, entries: list[JointEntry], named: bool) -> tuple[list[int], list[str]]:
    """Coordinates to show: those of joints whose charts stay, and of many the first."""
    changed = {one.joint for one in motion.model.layout.charts} if motion.changes else set()
    names = {id(entry): name for name, entry in motion.model.layout.joints.items()}
    lost = [names[id(entry)] for entry in entries if names[id(entry)] in changed]
    if lost and named:
        raise StartError(
            f"the rotation chart of '{lost[0]}' changed on the way, so its coordinates have no phase portrait; use chart='quaternion'"
        )
    places = [i for entry in entries if names[id(entry)] not in changed for i in range(*entry.q)]
    if named and places:
        return places, []
    charts = {i for first, last in motion.model.layout.quaternions for i in range(first, last)}
    moving = [
        i for i in places if i not in charts and np.ptp(motion.q[:, i]) > ROUND_OFF_DRAWN * np.abs(motion.q).max()
    ]
    if not moving:
        raise StartError(f"system '{motion.model.name}' has no coordinates that move; plot its energy or paths")
    note = f"{min(MOST, len(moving))} of {motion.model.nq} coordinates shown; plot(…, kind='phase') takes the names of joints"
    return moving[:MOST], [note] * (len(moving[:MOST]) < motion.model.nq)


def _states(motion: Record) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates and their rates (T, nq), with both limits where impacts are."""
    time, sides = instants_with_impacts(motion)
    right, left = motion.at(time), motion.at(time, "left")
    rates = np.where(sides[:, None], _rates(left), _rates(right))
    return right.q, rates


def _rates(motion: Record) -> np.ndarray:
    """The rates of the coordinates, (T, nq)."""
    if motion.model.layout.flat:
        return motion.v
    if not motion.model.type.has_graphs:
        raise StartError(
            f"the coordinates of '{motion.model.name}' have no rates of their own here; plot velocities with kind='time'"
        )
    return motion._groups("rates")["q_dot"]


def _in(unit: str) -> str:
    return f" [{unit}]" if unit else ""


def _per_second(unit: str) -> str:
    return "" if not unit else "1/s" if unit == "1" else f"{unit}/s"
