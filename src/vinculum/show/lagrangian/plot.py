"""Curves over time of a Lagrangian motion: coordinates, rates, multipliers and energy."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from vinculum.errors import StartError
from vinculum.models.lagrangian.type import lagrangian_of
from vinculum.motion.lagrangian.bond import LagrangianBondMotion
from vinculum.motion.lagrangian.record import LagrangianRecord
from vinculum.show.plots import Panel, checked_path, curves, write_figure
from vinculum.systems import nearest
from vinculum.tolerances.certificates import DRIFT_SHOWN


def plot_lagrangian(motion: LagrangianRecord, coordinates: Iterable[str] = (), path=None) -> Any:
    """The ``coordinates`` (all by default), their rates, the multipliers of constraints and the energy, one above the other."""
    target = None if path is None else checked_path(path)
    names = list(motion.coordinates)
    chosen = [coordinates] if isinstance(coordinates, str) else list(coordinates)
    for name in chosen:
        if not isinstance(name, str) or name not in names:
            raise StartError(
                f"there is no coordinate '{name}' in system '{motion.model.name}'{nearest(str(name), names)}"
            )
    which = [names.index(name) for name in chosen or names]
    panels = [Panel("coordinates", [names[i] for i in which], motion.q[:, which]),
              Panel("rates", [f"d{names[i]}/dt" for i in which], motion.v[:, which])]  # fmt: skip
    panels += multiplier_panels(motion) + [_energy(motion)]
    figure = curves(motion, panels, "time")
    if target is not None:
        write_figure(figure, target)
    return figure


def multiplier_panels(motion: LagrangianRecord) -> list[Panel]:
    """Multipliers of the constraints, where there are any."""
    labels, columns = [], []
    for entry in motion.constrained:
        found = LagrangianBondMotion(motion, entry.name).multiplier.reshape(len(motion.time), -1)
        labels += [entry.name] if entry.rows == 1 else [f"{entry.name} {i}" for i in range(entry.rows)]
        columns.append(found)
    return [Panel("multipliers", labels, np.concatenate(columns, axis=1))] if columns else []


def _energy(motion: LagrangianRecord) -> Panel:
    """The energy, or its drift where it is kept to round-off."""
    energy = motion.total_energy
    size = np.abs(energy).max(initial=0.0) or 1.0
    drift = (energy - energy[:1]) / size
    if np.abs(drift).max(initial=0.0) > DRIFT_SHOWN:
        return Panel("energy", ["E[L] + E[M]" if lagrangian_of(motion.model).multipliers else "E"], energy[:, None])
    return Panel(
        "energy drift\n(E − E₀) / max |E|", [f"at most {np.abs(drift).max(initial=0.0):.1e}"], drift[:, None], 0.7
    )
