"""Energy over time: its drift where it is kept, and its parts by bonds and bodies."""

from dataclasses import replace
from typing import Any

import numpy as np

from vinculum.motion.record import Record
from vinculum.motion.states import states_at, tape_groups
from vinculum.show.plots.kinds import Asked, refuse_names
from vinculum.show.plots.panels import MOST_CURVES, Panel, curves
from vinculum.tolerances.certificates import DRIFT_SHOWN, EXCHANGED_SHOWN, LOST_SHOWN, ROUND_OFF_DRAWN

WITHIN = "weight, joints, bodies"
"""The part of a potential energy that no bond has: of gravity, of springs in joints, of deformed bodies."""


def energy_panel(motion: Record, hits: bool) -> Panel:
    """The drift of the energy where nothing gives or takes any, impacts included, else the energies themselves."""
    groups = tape_groups(motion, "balance", motion.time, states_at(motion, motion.time))
    none = np.zeros((len(motion.time), 1))
    kinetic, potential, power, loss = (
        groups.get(name, none)[:, 0] for name in ("kinetic", "potential", "power", "dissipation")
    )
    total = kinetic + potential
    scale = np.abs(kinetic).max(initial=0.0)
    span = np.ptp(motion.time) if len(motion.time) else 0.0
    exchanged = (np.abs(power).max(initial=0.0) + np.abs(loss).max(initial=0.0)) * span
    lost = np.ptp(total) if hits and len(total) else 0.0
    if scale == 0.0 or exchanged > EXCHANGED_SHOWN * scale or lost > LOST_SHOWN * scale:
        return Panel("energy [J]", ["kinetic", "potential", "total"], np.stack([kinetic, potential, total], axis=1))
    return drift_panel(total, scale, "max T")


def drift_panel(energy: np.ndarray, scale: float, of: str) -> Panel:
    """How far the energy is from where it started, relative to ``scale``."""
    drift = (energy - energy[:1]) / scale
    largest = np.abs(drift).max(initial=0.0)
    return Panel(f"energy drift\n(E − E₀) / {of}", [f"at most {largest:.1e}"], drift[:, None], 0.7, scale=1.0)


def plot_energies(motion: Record, asked: Asked) -> Any:
    """Kinetic, potential and total energy, the potential energy of every bond, and the kinetic energy of every body; beside other
    motions how much the energy of each changes."""
    refuse_names(asked, "energy")
    if asked.beside:
        own, *others = (_change_panel(label, one) for label, one in [("", motion), *asked.others])
        return curves(motion, [replace(own, beside=tuple(others))], "time [s]")
    kinetic, potential = _energies(motion)
    total = kinetic + potential
    panels = [
        Panel("energy [J]", ["kinetic", "potential", "total"], np.stack([kinetic, potential, total], axis=1), 1.5)
    ]
    panels += _panel("potential energy [J]", _parts(motion, potential))
    panels += _panel("kinetic energy [J]", _by_bodies(motion))
    size = np.abs(kinetic).max(initial=0.0)
    if size and np.ptp(total) <= DRIFT_SHOWN * size:
        panels.append(drift_panel(total, size, "max T"))
    return curves(motion, panels, "time [s]")


def _change_panel(label: str, motion: Record) -> Panel:
    """How much the energy of a motion has changed since its start."""
    total = sum(_energies(motion))
    change = (total - total[:1])[:, None]  # type: ignore[index]
    return Panel("change of energy [J]", [label or "this motion"], change, 1.5, motion.time)


def _energies(motion: Record) -> tuple[np.ndarray, np.ndarray]:
    """Kinetic and potential energy (T,) on the grid."""
    groups = tape_groups(motion, "balance", motion.time, states_at(motion, motion.time))
    kinetic = groups["kinetic"][:, 0]
    return kinetic, groups["potential"][:, 0] if "potential" in groups else np.zeros_like(kinetic)


def _parts(motion: Record, potential: np.ndarray) -> dict[str, np.ndarray]:
    """The potential energy of every bond that has one, and of what is left."""
    found = {
        name: energy[:, 0]
        for name in motion.model.layout.actions
        if np.any(energy := motion._bonds.get(f"{name}/energy", np.zeros((1, 1))))
    }
    left = potential - sum(found.values(), np.zeros_like(potential))
    size = max((np.abs(one).max(initial=0.0) for one in (potential, *found.values())), default=0.0)
    return found | ({WITHIN: left} if np.abs(left).max(initial=0.0) > ROUND_OFF_DRAWN * size else {})


def _by_bodies(motion: Record) -> dict[str, np.ndarray]:
    """The kinetic energy of every body: half of momentum times velocity, of the mass center and about it."""
    bodies, known = list(motion.model.layout.bodies), motion._bodies
    momenta = motion._balance["momentum"].reshape(len(motion.time), len(bodies), 6)
    velocities = (
        np.concatenate([known[f"{name}/center_velocity"], known[f"{name}/angular_velocity"]], axis=1) for name in bodies
    )
    return {
        name: 0.5 * (momenta[:, i] * v).sum(axis=1) for i, (name, v) in enumerate(zip(bodies, velocities, strict=True))
    }


def _panel(label: str, parts: dict[str, np.ndarray]) -> list[Panel]:
    """A panel of several parts; of many the largest."""
    if len(parts) < 2:
        return []
    kept = sorted(parts, key=lambda name: -np.abs(parts[name]).max(initial=0.0))[:MOST_CURVES]
    shown = [name for name in parts if name in kept]
    some = f"\nlargest {len(kept)} of {len(parts)}" if len(kept) < len(parts) else ""
    return [Panel(f"{label}{some}", shown, np.stack([parts[name] for name in shown], axis=1))]
