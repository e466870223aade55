"""`Certificate`: the residual of every law on a motion, with tolerance and verdict."""

import math
from dataclasses import dataclass
from typing import final

from vinculum.tolerances.certificates import SHARP
from vinculum.tolerances.round_off import NEXT_TO_ZERO
from vinculum.tolerances.sizes import CERTIFICATE_LINES
from vinculum.upward import ShownInNotebooks

SEVERITY = ("holds", "undecided", "broken")


@final
@dataclass(frozen=True)
class Line:
    """One law on one motion: the relative residual, the tolerance and its reason.

    A tolerance above `SHARP` cannot distinguish a correct motion from one that is wrong by a thousandth, so the line
    is undecided. It is undecided too if the residual lies between the tolerance and ``doubt``, because tolerances are
    estimates, not bounds.
    """

    law: str
    residual: float
    tolerance: float
    reason: str
    detail: str = ""
    doubt: float = 0.0

    @property
    def verdict(self) -> str:
        """holds, broken or undecided."""
        if not math.isfinite(self.residual) or self.residual > max(self.tolerance, self.doubt):
            return "broken"
        return "holds" if self.residual <= self.tolerance <= SHARP else "undecided"

    def to_dict(self) -> dict:
        """Plain data."""
        return {"law": self.law, "residual": float(self.residual), "tolerance": float(self.tolerance),
                "doubt": float(max(self.tolerance, self.doubt)), "reason": self.reason, "detail": self.detail,
                "verdict": self.verdict}  # fmt: skip


@final
@dataclass(frozen=True)
class Certificate(ShownInNotebooks):
    """The lines of an audit. ``passed`` is true if every law holds. ``remedy``: a setting that would decide an
    undecided certificate, if known."""

    system: str
    motion: str
    lines: tuple[Line, ...]
    remedy: str = ""

    @property
    def passed(self) -> bool:
        """Whether every law holds."""
        return all(line.verdict == "holds" for line in self.lines)

    @property
    def verdict(self) -> str:
        """passed, failed (some law is broken), or undecided (the steps or the grid are too coarse to tell)."""
        if any(line.verdict == "broken" for line in self.lines):
            return "failed"
        return "passed" if self.passed else "undecided"

    def to_dict(self) -> dict:
        """Plain data for programs."""
        return {"system": self.system, "motion": self.motion, "passed": self.passed, "verdict": self.verdict, "remedy": self.remedy,
                "lines": [line.to_dict() for line in self.lines]}  # fmt: skip

    def __str__(self) -> str:
        shown = worst_lines(self.lines, CERTIFICATE_LINES)
        rows = [("law", "residual", "tolerance", "verdict", "because")]
        rows += [
            (
                k.law,
                f"{k.residual:.1e}",
                f"{k.tolerance:.1e}",
                k.verdict,
                k.reason + (f"; {k.detail}" if k.detail else ""),
            )
            for k in shown
        ]
        widths = [max(len(row[i]) for row in rows) for i in range(4)]
        table = [
            "  ".join([*(cell.ljust(w) for cell, w in zip(row, widths, strict=False)), row[4]]).rstrip() for row in rows
        ]
        table.insert(1, "-" * max(len(line) for line in table))
        if len(shown) < len(self.lines):
            table.append(f"… and {len(self.lines) - len(shown)} more lines, all farther from their tolerance")
        held = sum(k.verdict == "holds" for k in self.lines)
        head = f"Certificate of '{self.system}' ({self.motion}): {self.verdict.upper()}"
        if self.verdict == "undecided":
            table.append(f"undecided: {why_undecided(self)}")
        return "\n".join([f"{head}, {held} of {len(self.lines)} laws hold", *table])


def worst_lines(lines: tuple[Line, ...], most: int) -> tuple[Line, ...]:
    """At most so many lines in their order, those that do not hold and those nearest to their tolerance first of all."""
    if len(lines) <= most:
        return lines
    worst = sorted(lines, key=lambda k: (k.verdict == "holds", -k.residual / max(k.tolerance, NEXT_TO_ZERO)))
    chosen = {id(k) for k in worst[:most]}
    return tuple(k for k in lines if id(k) in chosen)


def why_undecided(certificate: Certificate) -> str:
    """What leaves a certificate undecided, and the remedy."""
    if any(line.tolerance > SHARP for line in certificate.lines):
        use = certificate.remedy or "use smaller steps, a tighter tolerance or a finer grid"
        return f"an error of a thousandth could be hidden; {use}"
    return "a residual is beyond its estimated tolerance but within what the estimate leaves in doubt"
