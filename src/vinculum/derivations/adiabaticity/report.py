"""`Adiabaticity`: the result about the work of reactions, as a table."""

from dataclasses import dataclass
from typing import final

WORK = {
    "Penalty": "store ½ κ F²",
    "ViscousFriction": "resist with −κ F",
    "AddedInertia": "store their own inertia",
}


@final
@dataclass(frozen=True)
class RowWork:
    """One row of a constraint. ``level``: 0 for positions, 1 for velocities, 2 for accelerations. ``realization``: whose reactions they
    are. ``degree``: with which it is homogeneous in the velocities, where that is proved; ``virial``: the largest |v·∂F/∂v| (|v·∂F/∂v̇|, on
    accelerations) that was met on the constraint, zero where it vanishes; ``time_slope``: the largest |∂F/∂t|; ``largest``: what was
    measured of the first, relative to the size of its terms; ``named``: the largest power that was met of the unit effort of a servo, None
    where efforts are along the rows."""

    constraint: str
    row: str
    level: int
    realization: str
    is_linear: bool
    degree: float | None
    virial: float
    time_slope: float
    largest: float
    named: float | None = None

    @property
    def kind(self) -> str:
        """ "position", "direction", "drift" (linear, but not satisfied at rest), "magnitude", or "acceleration"."""
        if self.level != 1:
            return "acceleration" if self.level else "position"
        if self.virial == 0.0:
            return "direction"
        return "drift" if self.is_linear else "magnitude"

    @property
    def adiabatic(self) -> bool:
        """Whether reactions do no work. A vakonomic constraint, and one on positions, must not depend on time. Never
        true for efforts of servos and for rows on accelerations."""
        if self.realization in WORK or self.named is not None or self.level == 2:
            return False
        moves = self.time_slope > 0.0 and (self.level == 0 or self.realization == "Vakonomic")
        return self.virial == 0.0 and not moves

    @property
    def shown(self) -> str:
        """How the result was obtained."""
        if self.named is not None:
            return f"up to {self.named:.2g} for λ = 1"
        if self.level == 0:
            return "positions"
        if self.degree is not None:
            return f"degree {self.degree:g}"
        return f"measured {self.largest:.1g}"

    @property
    def work(self) -> str:
        """The work of the reactions, in words."""
        if self.realization in WORK:
            return WORK[self.realization]
        if self.named is not None:
            return "power λ B v of named efforts"
        if self.adiabatic:
            return "do no work"
        if self.realization == "Vakonomic":
            parts = ["−(μ v·∂F/∂v)˙"] * (self.virial > 0.0) + ["−μ ∂F/∂t"] * (self.time_slope > 0.0)
            return f"power {' '.join(parts)}"
        if self.level == 2:
            return "power λ v·∂F/∂v̇"
        return f"power {'−λ ∂F/∂t' if self.level == 0 else '−λ c' if self.is_linear else 'λ v·∂F/∂v'}"


@final
@dataclass(frozen=True)
class Adiabaticity:
    """Whether reactions of constraints can do work, row by row. Gołubowska (79)–(86)."""

    system: str
    rows: tuple[RowWork, ...]

    @property
    def adiabatic(self) -> bool:
        """Whether no reaction can do work."""
        return all(row.adiabatic for row in self.rows)

    def __getitem__(self, constraint: str) -> tuple[RowWork, ...]:
        """The rows of one constraint."""
        return tuple(row for row in self.rows if row.constraint == constraint)

    def to_dict(self) -> dict:
        """Plain data."""
        rows = [{"constraint": x.constraint, "row": x.row, "kind": x.kind, "adiabatic": x.adiabatic, "degree": x.degree, "virial": x.virial,
                 "time_slope": x.time_slope, "work": x.work} for x in self.rows]  # fmt: skip
        return {"system": self.system, "adiabatic": self.adiabatic, "rows": rows}

    def __str__(self):
        table = [("constraint", "row", "on", "v·∂F/∂v", "known by", "reactions"),
                 *((x.constraint, x.row, x.kind, f"{x.virial:.3g}" if x.level else "–", x.shown, x.work) for x in self.rows)]  # fmt: skip
        widths = [max(len(row[i]) for row in table) for i in range(6)]
        lines = ["  ".join(x.ljust(w) for x, w in zip(row, widths, strict=True)).rstrip() for row in table]
        lines.insert(1, "-" * max(map(len, lines)))
        verdict = "do no work" if self.adiabatic else "may do work"
        return "\n".join([f"Reactions of the constraints of '{self.system}' {verdict}", *lines])
