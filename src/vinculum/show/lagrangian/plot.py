"""Plots of a Lagrangian motion: coordinates, rates, multipliers and energy over time, phase portraits, and paths of coordinates."""

from dataclasses import replace
from typing import Any

import numpy as np

from vinculum.errors import StartError
from vinculum.models.lagrangian.type import lagrangian_of
from vinculum.motion.lagrangian.bond import LagrangianBondMotion
from vinculum.motion.lagrangian.record import LagrangianRecord
from vinculum.show.plots.energies import drift_panel
from vinculum.show.plots.kinds import Asked, refuse_names
from vinculum.show.plots.panels import Panel, curves
from vinculum.show.plots.paths import draw_paths
from vinculum.show.plots.phase import Orbit, draw_portraits
from vinculum.systems import nearest
from vinculum.tolerances.certificates import DRIFT_SHOWN


def plot_lagrangian(motion: LagrangianRecord, asked: Asked) -> Any:
    """The coordinates (all by default), their rates, the multipliers of constraints and the energy, one above the other; beside other
    motions coordinates and rates alone."""
    names = _coordinates(motion, asked)
    panels = _state_panels(motion, names)
    if not asked.beside:
        return curves(motion, [*panels, *multiplier_panels(motion), _energy_panel(motion)], "time")
    others = [(label, _state_panels(one, _coordinates(one, asked, names))) for label, one in asked.others]
    merged = [
        replace(panel, beside=tuple(
            replace(found[k], names=[f"{name}, {label}" for name in panel.names]) for label, found in others))
        for k, panel in enumerate(panels)
    ]  # fmt: skip
    return curves(motion, merged, "time")


def plot_lagrangian_phases(motion: LagrangianRecord, asked: Asked) -> Any:
    """The rate of every coordinate over the coordinate."""
    names = _coordinates(motion, asked)
    seen = [("", motion), *((label, one) for label, one in asked.others)]
    for _, one in seen:
        _coordinates(one, asked, names)
    portraits = {
        (name, ""): [Orbit(label, one[name], one.v[:, list(one.coordinates).index(name)]) for label, one in seen]
        for name in names
    }
    return draw_portraits(motion, portraits)


def plot_lagrangian_path(motion: LagrangianRecord, asked: Asked) -> Any:
    """Two or three coordinates against each other."""
    names = _coordinates(motion, asked)
    if len(names) not in (2, 3):
        raise StartError(
            f"a path needs two or three coordinates, and here are {len(names)}; name some of {', '.join(motion.coordinates)}"
        )
    seen = [("path", motion), *((label, one) for label, one in asked.others)]
    paths = {}
    for label, one in seen:
        _coordinates(one, asked, names)
        paths[label] = np.stack([one[name] for name in names], axis=1)
    return draw_paths(motion, paths, names, len(paths))


def plot_lagrangian_energy(motion: LagrangianRecord, asked: Asked) -> Any:
    """The energy of the Lagrangian, and with the part of vakonomic constraints; beside other motions these too."""
    refuse_names(asked, "energy")
    others = tuple(
        Panel("energy", [f"E, {label}"], one.total_energy[:, None], 1.0, one.time) for label, one in asked.others
    )
    panels = [Panel("energy", [_energy_name(motion)], motion.total_energy[:, None], 1.5, beside=others)]
    return curves(motion, panels if others else [*panels, _drift_panel(motion)], "time")


def multiplier_panels(motion: LagrangianRecord) -> list[Panel]:
    """Multipliers of the constraints, where there are any."""
    labels, columns = [], []
    for entry in motion.constrained:
        found = LagrangianBondMotion(motion, entry.name).multiplier.reshape(len(motion.time), -1)
        labels += [entry.name] if entry.rows == 1 else [f"{entry.name} {i}" for i in range(entry.rows)]
        columns.append(found)
    return [Panel("multipliers", labels, np.concatenate(columns, axis=1))] if columns else []


def _coordinates(motion: LagrangianRecord, asked: Asked, default: list[str] | None = None) -> list[str]:
    """The coordinates asked for, or ``default``, or all."""
    known = list(motion.coordinates)
    chosen = list(asked.names) or default or known
    for name in chosen:
        if not isinstance(name, str) or name not in known:
            raise StartError(
                f"there is no coordinate '{name}' in system '{motion.model.name}'{nearest(str(name), known)}"
            )
    return chosen


def _state_panels(motion: LagrangianRecord, names: list[str]) -> list[Panel]:
    which = [list(motion.coordinates).index(name) for name in names]
    return [
        Panel("coordinates", names, motion.q[:, which], time=motion.time),
        Panel("rates", [f"d{name}/dt" for name in names], motion.v[:, which], time=motion.time),
    ]


def _energy_name(motion: LagrangianRecord) -> str:
    return "E[L] + E[M]" if lagrangian_of(motion.model).multipliers else "E"


def _energy_panel(motion: LagrangianRecord) -> Panel:
    """The energy, or its drift where it is kept to round-off."""
    panel = _drift_panel(motion)
    if np.abs(panel.values).max(initial=0.0) > DRIFT_SHOWN:
        return Panel("energy", [_energy_name(motion)], motion.total_energy[:, None])
    return panel


def _drift_panel(motion: LagrangianRecord) -> Panel:
    return drift_panel(motion.total_energy, np.abs(motion.total_energy).max(initial=0.0) or 1.0, "max |E|")
