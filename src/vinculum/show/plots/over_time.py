"""Curves over time: coordinates, velocities, impacts and energy of a motion."""

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import Any

import numpy as np

from vinculum.errors import StartError
from vinculum.models.layout import JointEntry
from vinculum.motion.record import Record
from vinculum.show.plots.energies import energy_panel
from vinculum.show.plots.impacts import Curves, impact_panels
from vinculum.show.plots.kinds import Asked
from vinculum.show.plots.panels import MOST_CURVES, Panel, curves

LEGEND_ROWS = 9.0


class BodyPanels(ABC):
    """What a plot shows of the bodies of one type of model."""

    @abstractmethod
    def shows_coordinates(self, asked: list) -> bool:
        """Whether coordinates are shown."""

    @abstractmethod
    def curves(self, motion: Record) -> Curves:
        """Coordinates and velocities to draw."""

    @abstractmethod
    def contact(self, motion: Record) -> list[Panel]:
        """Contacts, residuals and penetrations."""

    @abstractmethod
    def hits(self, motion: Record) -> bool:
        """Whether impacts may take energy."""


def plot_bodies(motion: Record, of: BodyPanels, asked: Asked) -> Any:
    """Coordinates and velocities of joints (all by default, as many as can be told apart) and the energy below.

    With unilateral constraints there are gaps and impulses too; free bodies in contact show speeds, contacts and residuals, and
    coordinates of what is asked for. Thin vertical lines are the crossings of events. Beside other motions there are coordinates and
    velocities alone.
    """
    names = list(asked.names)
    chosen, notes = joints_to_show(motion, names) if of.shows_coordinates(names) or asked.beside else ([], [])
    panels = _state_panels(motion, of, chosen) if chosen else []
    if asked.beside:
        others = [(label, _state_panels(one, of, _same_joints(one, motion, chosen))) for label, one in asked.others]
        return curves(motion, [_merge(k, panel, others) for k, panel in enumerate(panels)], "time [s]", notes)
    panels += of.contact(motion)
    panels += [*impact_panels(motion), energy_panel(motion, of.hits(motion))]
    return curves(motion, panels, "time [s]", notes)


def _state_panels(motion: Record, of: BodyPanels, chosen: list[JointEntry]) -> list[Panel]:
    shown = of.curves(motion)
    return [*_panels(motion, shown, chosen, "q", "coordinate"), *_panels(motion, shown, chosen, "v", "velocity")]


def _same_joints(motion: Record, like: Record, chosen: list[JointEntry]) -> list[JointEntry]:
    """The joints of another motion that have the names of the ``chosen`` ones, with as many coordinates."""
    names = {id(entry): name for name, entry in like.model.layout.joints.items()}
    found = [motion.model.index("joints", names[id(entry)]) for entry in chosen]
    for one, entry in zip(found, chosen, strict=True):
        if one.kind != entry.kind:
            raise StartError(
                f"'{names[id(entry)]}' is a {entry.kind.lower()} joint in '{like.model.name}' and a {one.kind.lower()} joint in "
                f"'{motion.model.name}'; name joints that are alike"
            )
    return found


def _merge(number: int, panel: Panel, others: list[tuple[str, list[Panel]]]) -> Panel:
    """A panel with those of other motions in the same place."""
    labeled = [replace(found[number], names=[f"{name}, {label}" for name in panel.names]) for label, found in others]
    return replace(panel, beside=tuple(labeled))


def _what(entry: JointEntry) -> str:
    return "prescribed body" if entry.kind == "Prescribed" else f"{entry.kind.lower()} joint"


def joints_to_show(motion: Record, joints: list) -> tuple[list[JointEntry], list[str]]:
    """Layout entries of the joints to show, and a note where some are left out."""
    if joints:
        entries = [motion.model.index("joints", joint) for joint in joints]
        for joint, entry in zip(joints, entries, strict=True):
            if entry.q[0] == entry.q[1]:
                raise StartError(
                    f"{_what(entry)} '{getattr(joint, 'name', joint)}' has no coordinates; name a joint that moves"
                )
        return entries, []
    moving = [entry for entry in motion.model.layout.joints.values() if entry.q[1] > entry.q[0]]
    shown, curves = [], 0
    for entry in moving:
        curves += entry.q[1] - entry.q[0]
        if shown and curves > MOST_CURVES:
            break
        shown.append(entry)
    note = f"{len(shown)} of {len(moving)} joints shown; plot(…) takes the names of others"
    return shown, [note] if len(shown) < len(moving) else []


def _panels(motion: Record, shown: Curves, entries: list[JointEntry], which: str, what: str) -> list[Panel]:
    """One panel for each unit, in the order of appearance."""
    layout, values = motion.model.layout, {"q": shown.q, "v": shown.v}[which]
    places = [i for entry in entries for i in range(*getattr(entry, which))]
    units = list(dict.fromkeys(getattr(layout, f"{which}_units")[i] for i in places))
    panels = []
    for unit in units:
        own = [i for i in places if getattr(layout, f"{which}_units")[i] == unit]
        height = max(1.0, len(own) / LEGEND_ROWS)
        panels.append(
            Panel(
                f"{what} [{unit}]",
                [getattr(layout, f"{which}_names")[i] for i in own],
                values[:, own],
                height,
                shown.time,
                scale=_scale(motion, unit),
            )
        )
    return panels


def _scale(motion: Record, unit: str) -> float | None:
    """The size beside which round-off of a coordinate or velocity is nothing: a radian, the size of the motion, or these in its span."""
    if not len(motion.time):
        return None
    at = motion.at([motion.pieces.begin, motion.pieces.end])
    places = [np.abs(at._bodies[f"{name}/position"]).max() for name in motion.model.layout.bodies]
    length = max(places, default=0.0) or None
    span = motion.pieces.end - motion.pieces.begin
    return {
        "rad": 1.0,
        "1": 1.0,
        "m": length,
        "rad/s": 1.0 / span if span else None,
        "m/s": length / span if length and span else None,
    }.get(unit)
