"""`InvarianceReport`: bond by bond, whether a system's energies, constraints and efforts are properly invariant."""

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

from vinculum.errors import ModelError
from vinculum.systems import nearest
from vinculum.tolerances.sizes import REPORT_WIDTH

SOUND = ("invariant", "external")


@final
@dataclass(frozen=True)
class InvarianceLine:
    """One bond under rigid motions superposed on all of its bodies.

    ``verdict``: invariant, not invariant, external (declared as such), undecided (no change at samples, no proof
    found) or contradiction (proof and samples disagree). ``exact``: the result of differentiation along the motions:
    "yes", "no", "open", or "" if only samples were used. ``change``: the largest relative change by finite motions at
    samples. ``broken``: motions that change it; ``kept``: axes of rotations that do not, if others do. ``force`` [N],
    ``moment`` [N m]: the largest Σ F and Σ (M + x × F) of bodies about 1 m apart (for a joint, of unit multipliers),
    ``residual`` the larger of both relative to the efforts.
    """

    bond: str
    kind: str
    verdict: str
    exact: str
    change: float
    broken: tuple[str, ...]
    kept: tuple[str, ...]
    force: float
    moment: float
    residual: float
    meaning: str

    def to_dict(self) -> dict:
        """Plain data."""
        return {"bond": self.bond, "kind": self.kind, "verdict": self.verdict, "exact": self.exact, "change": self.change,
                "broken": list(self.broken), "kept": list(self.kept), "force": self.force, "moment": self.moment,
                "residual": self.residual, "meaning": self.meaning}  # fmt: skip


@final
@dataclass(frozen=True)
class InvarianceReport:
    """The lines of `audit_invariance`, one for each bond and one for uniform gravity; by number or by the bond's name."""

    system: str
    lines: tuple[InvarianceLine, ...]

    @property
    def passed(self) -> bool:
        """Whether every bond is invariant or declared as external."""
        return all(line.verdict in SOUND for line in self.lines)

    def __len__(self) -> int:
        return len(self.lines)

    def __iter__(self) -> Iterator[InvarianceLine]:
        return iter(self.lines)

    def __getitem__(self, which: int | str) -> InvarianceLine:
        if isinstance(which, str):
            names = [line.bond for line in self.lines]
            if which not in names:
                raise ModelError(f"the audit of '{self.system}' has no line for '{which}'{nearest(which, names)}")
            return self.lines[names.index(which)]
        return self.lines[which]

    def to_dict(self) -> dict:
        """Plain data for programs."""
        return {"system": self.system, "passed": self.passed, "lines": [line.to_dict() for line in self.lines]}

    def __str__(self) -> str:
        count = sum(line.verdict == "invariant" for line in self.lines)
        head = f"Invariance of '{self.system}': {count} of {len(self.lines)} bonds are properly invariant"
        if not self.lines:
            return f"{head} (there are none)"
        rows = [("bond", "kind", "verdict", "exact", "samples", "third law", "changed by")]
        rows += [(k.bond, k.kind, _loud(k.verdict), k.exact or "–", f"{k.change:.0e}", f"{k.residual:.0e}",
                  "; ".join(k.broken) or "nothing") for k in self.lines]  # fmt: skip
        widths = [max(len(row[i]) for row in rows) for i in range(6)]
        table = [
            "  ".join([*(cell.ljust(w) for cell, w in zip(row, widths, strict=False)), row[6]]).rstrip() for row in rows
        ]
        table.insert(1, "-" * max(map(len, table)))
        notes = [
            textwrap.fill(f"'{k.bond}': {k.meaning}", REPORT_WIDTH, subsequent_indent="  ")
            for k in self.lines
            if k.verdict != "invariant"
        ]
        return "\n".join([head, *table, *notes])


def _loud(verdict: str) -> str:
    return verdict.upper() if verdict == "contradiction" else verdict
