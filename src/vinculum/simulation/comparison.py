"""`compare_realizations`: motions of one system with several realizations of a constraint."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.bonds import Constraint, Realization
from vinculum.bonds.constraints.realizations.short_forms import BY_WORD, REALIZATION_CHOICES, read_realization
from vinculum.derivations.lagrangian.system import LagrangianSystem
from vinculum.errors import RunError, StartError, shorten
from vinculum.motion.doors import COMPARISON_PLOT
from vinculum.motion.lagrangian.motion import LagrangianMotion
from vinculum.motion.motion import Motion
from vinculum.simulation.descriptions import is_described
from vinculum.simulation.simulate import simulate
from vinculum.systems import System
from vinculum.tolerances.certificates import REALIZATIONS_APART


@final
@dataclass(frozen=True, eq=False)
class Comparison:
    """Motions of one system, one for each realization of a constraint, on one grid.

    ``labels`` name the realizations; the others are compared with the first. ``failures``: why motions ended early, or
    None.
    """

    constraint: str
    labels: tuple[str, ...]
    motions: tuple[Motion | LagrangianMotion, ...]
    failures: tuple[str | None, ...] = ()

    def __len__(self) -> int:
        return len(self.motions)

    def __getitem__(self, label: str | int) -> Any:
        """The motion of one realization, by label or number."""
        if isinstance(label, int) and not -len(self) <= label < len(self):
            raise StartError(
                f"there is not a realization {shorten(label)} in this comparison of {len(self)}; count from 0"
            )
        if isinstance(label, int):
            return self.motions[label]
        if label not in self.labels:
            raise StartError(
                f"there is not a realization '{label}' in this comparison; it has {', '.join(self.labels)}"
            )
        return self.motions[self.labels.index(label)]

    @property
    def time(self) -> np.ndarray:
        """The instants that all motions reach, (T,) [s]."""
        first = self.motions[0].time
        count = min(len(motion.time) for motion in self.motions)
        same = np.all([motion.time[:count] == first[:count] for motion in self.motions], axis=0)
        return first[: count if same.all() else int(np.argmin(same))]

    @property
    def places(self) -> slice:
        """Where the joints' coordinates stand; multipliers that are part of the state come after them."""
        layout = self.motions[0].record.model.layout
        ends = [entry.q[1] for entry in layout.joints.values()]
        return slice(0, max(ends, default=len(layout.q_names)))

    def distance(self, label: str | int) -> np.ndarray:
        """The largest difference of the joints' coordinates from those of the first motion, (T,)."""
        count, places = len(self.time), self.places
        return np.abs(self[label].q[:count, places] - self.motions[0].q[:count, places]).max(axis=1, initial=0.0)

    def parting(self, label: str | int, tolerance: float = REALIZATIONS_APART) -> float | None:
        """The first instant on the grid at which a motion differs from the first by more than ``tolerance``, or
        None."""
        apart = self.distance(label) > tolerance
        return float(self.time[np.argmax(apart)]) if apart.any() else None

    def to_dict(self) -> dict:
        """Plain data."""
        rows = [{"realization": label, "end": motion.q[-1].tolist(), "energy": float(motion.energy[-1]),
                 "distance": float(self.distance(i).max()), "parting": self.parting(i),
                 "failure": self.failures[i] if self.failures else None}
                for i, (label, motion) in enumerate(zip(self.labels, self.motions, strict=True))]  # fmt: skip
        return {"constraint": self.constraint, "realizations": rows}

    def __str__(self) -> str:
        rows = [
            (
                "realization",
                "largest distance",
                f"apart by {REALIZATIONS_APART:g} at",
                "energy changes by",
                "certificate",
            )
        ]
        for i, (label, motion) in enumerate(zip(self.labels, self.motions, strict=True)):
            parting = self.parting(i)
            rows.append((label, "–" if i == 0 else f"{self.distance(i).max():.3g}", "never" if parting is None else f"{parting:.4g} s",
                         f"{motion.energy[-1] - motion.energy[0]:.3g} J", motion.audit().verdict))  # fmt: skip
        widths = [max(len(row[k]) for row in rows) for k in range(5)]
        table = ["  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in rows]
        head = f"Constraint '{self.constraint}' of '{self.motions[0].record.model.name}', realized in {len(self)} ways, {self.time[-1]:g} s"
        early = [f"{label} ended early: {why}" for label, why in zip(self.labels, self.failures, strict=False) if why]
        return "\n".join([head, table[0], "-" * max(map(len, table)), *table[1:], *early])

    def plot(self, path=None) -> Any:
        """Coordinates, distance and multipliers side by side, as a Matplotlib figure."""
        return COMPARISON_PLOT(self, path)


def compare_realizations(
    system: System | LagrangianSystem,
    constraint: Constraint | str,
    realizations: Sequence[Realization | str],
    until: float,
    start=None,
    **settings,
) -> Comparison:
    """Motions of ``system`` with each of the given realizations of its ``constraint``, all from one start.

    ``settings`` are those of `simulate`. The same constraint, realized in different ways, gives different motions: Gołubowska, Some
    aspects of affine motion and nonholonomic constraints.
    """
    if not is_described(system):
        raise StartError(f"a vc.System or vc.LagrangianSystem is needed, got {type(system).__name__}")
    if not isinstance(realizations, (list, tuple)) or len(realizations) < 2:
        raise StartError(
            f"realizations is {shorten(realizations)}; give two or more to compare, as [vc.DAlembert(), vc.Penalty(1e6)]"
        )
    for one in realizations:
        if not isinstance(one, Realization) and one not in BY_WORD:
            raise StartError(f"{shorten(one)} is not a realization; use {REALIZATION_CHOICES}")
    ways = [read_realization("comparison", one) for one in realizations]
    name = constraint if isinstance(constraint, str) else getattr(constraint, "name", constraint)
    if not isinstance(name, str):
        raise StartError(f"constraint is {shorten(constraint)}; give a constraint of the system, or its name")
    motions, failures = zip(
        *(_run(system.with_realization(name, one), until, start, settings) for one in ways), strict=True
    )
    return Comparison(name, _labels(ways), motions, failures)


def _run(system, until: float, start, settings) -> tuple[Motion | LagrangianMotion, str | None]:
    """A motion, as far as it goes, and why it ended early."""
    try:
        motion = simulate(system, until, start, **settings)
        return motion, "interrupted by the user" if motion.record.interrupted else None
    except RunError as error:
        if error.motion is None:
            raise
        return error.motion, str(error).split("; what was computed")[0]


def _labels(realizations: Sequence[Realization]) -> tuple[str, ...]:
    plain = [one.claims.name for one in realizations]
    return tuple(
        label if plain.count(label) == 1 else f"{label} {plain[: i + 1].count(label)}" for i, label in enumerate(plain)
    )
