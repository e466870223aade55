"""`Balance`: what bodies got in a window of time, by what gave it."""

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

import numpy as np

from vinculum.audits.certificate import SEVERITY, Line
from vinculum.errors import FileError, StartError, shorten
from vinculum.motion.doors import BALANCE_PLOT
from vinculum.tolerances.sizes import BODIES_NAMED, PARTS_SHOWN
from vinculum.upward import ShownInNotebooks

COMPONENTS = ("Px", "Py", "Pz", "Hx", "Hy", "Hz")


@final
@dataclass(frozen=True, eq=False)
class Part:
    """What one bond, field, contact or source gave to the bodies: its ``impulse`` (6,) [N s, N m s] at the world's origin and its ``work``
    [J]. ``inside``: whether it acts between these bodies alone."""

    name: str
    impulse: np.ndarray
    work: float
    inside: bool


@final
@dataclass(frozen=True, eq=False)
class MomentumBalance:
    """Momentum screw at the world's origin at both ``ends`` of a window (2, 6), and the sum of all impulses (6,) [N s, N m s]."""

    ends: np.ndarray
    impulse: np.ndarray

    @property
    def change(self) -> np.ndarray:
        """Change of the momentum screw, (6,) [N s, N m s]."""
        return self.ends[1] - self.ends[0]

    @property
    def residual(self) -> np.ndarray:
        """Change of the momentum screw less all impulses, (6,)."""
        return self.change - self.impulse


@final
@dataclass(frozen=True, eq=False)
class EnergyBalance:
    """Kinetic energy at both ``ends`` of a window (2,), and the sum of all works [J]."""

    ends: np.ndarray
    work: float

    @property
    def change(self) -> float:
        """Change of the kinetic energy [J]."""
        return float(self.ends[1] - self.ends[0])

    @property
    def residual(self) -> float:
        """Change of the kinetic energy less all works [J]."""
        return self.change - self.work


@final
@dataclass(frozen=True, eq=False)
class Balance(ShownInNotebooks):
    r"""The balance of momentum screw and kinetic energy of some bodies in a window of time.

    .. math:: \mathcal P(t_2) - \mathcal P(t_1) = \int (\mathcal F + \mathcal F_i + \mathcal F_c)\,dt + \sum P

    ``momentum`` and ``energy``: at both ends of ``window``, limits from ``sides``, with what they received between.
    ``parts``: what each bond, field, contact and source of mass gave. ``lines``: laws with tolerances. Cheremensky, On Concept of
    Mechanical System, (15).
    """

    system: str
    bodies: tuple[str, ...]
    window: tuple[float, float]
    sides: tuple[str, str]
    momentum: MomentumBalance
    energy: EnergyBalance
    parts: tuple[Part, ...]
    lines: tuple[Line, ...]

    @property
    def passed(self) -> bool:
        """Whether every law holds."""
        return self.verdict == "passed"

    @property
    def verdict(self) -> str:
        """passed, failed or undecided."""
        worst = max((SEVERITY.index(line.verdict) for line in self.lines), default=0)
        return ("passed", "undecided", "failed")[worst]

    def plot(self, path=None) -> Any:
        """Impulses and works of all parts as bars, next to the changes, as a Matplotlib figure."""
        return BALANCE_PLOT(self, path)

    def to_dict(self) -> dict:
        """Plain data for programs."""
        parts = [
            {"name": part.name, "impulse": part.impulse.tolist(), "work": part.work, "inside": part.inside}
            for part in self.parts
        ]
        return {"system": self.system, "bodies": list(self.bodies), "window": list(self.window), "sides": list(self.sides),
                "momentum": self.momentum.ends.tolist(), "kinetic": self.energy.ends.tolist(), "parts": parts, "verdict": self.verdict,
                "lines": [line.to_dict() for line in self.lines]}  # fmt: skip

    def save(self, path) -> None:
        """Write the balance to a JSON file, all or nothing."""
        target = _path(path)
        draft = target.with_name(f"{target.name}.part")
        try:
            draft.write_text(json.dumps(self.to_dict(), indent=1), encoding="utf-8")
            os.replace(draft, target)
        except (OSError, UnicodeError) as error:
            raise FileError(
                f"the balance cannot be written to {shorten(str(target))}: {error}; choose another path"
            ) from error

    @classmethod
    def read(cls, path) -> "Balance":
        """The balance that was written to a JSON file."""
        source = _path(path)
        try:
            data = json.loads(source.read_text(encoding="utf-8"))
            parts = tuple(
                Part(str(one["name"]), _numbers(one["impulse"], (6,)), float(one["work"]), bool(one["inside"]))
                for one in data["parts"]
            )
            lines = tuple(
                Line(*(one[k] for k in ("law", "residual", "tolerance", "reason", "detail", "doubt")))
                for one in data["lines"]
            )
            begin, end = (float(t) for t in data["window"])
            first, last = (str(side) for side in data["sides"])
            both = both_balances(_numbers(data["momentum"], (2, 6)), _numbers(data["kinetic"], (2,)), parts)
            bodies = tuple(map(str, data["bodies"]))
            return cls(str(data["system"]), bodies, (begin, end), (first, last), *both, parts, lines)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise FileError(
                f"{shorten(str(source))} is not a stored balance: {type(error).__name__}: {error}; it is written by balance.save"
            ) from error

    def __str__(self) -> str:
        head = f"Balance of {names_of_bodies(self)} in '{self.system}', {self.window[0]:g} to {self.window[1]:g} s: {self.verdict.upper()}"
        rows = [("", *COMPONENTS, "work")]
        rows += [
            (part.name + " (inside)" * part.inside, *_row(part.impulse), f"{part.work:.5g}")
            for part in largest_parts(self)
        ]
        rows.append(("sum", *_row(self.momentum.impulse), f"{self.energy.work:.5g}"))
        rows.append(("change", *_row(self.momentum.change), f"{self.energy.change:.5g}"))
        widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
        table = ["  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in rows]
        told = [
            f"{line.law}: {line.residual:.1e}, tolerance {line.tolerance:.1e}, {line.verdict}" for line in self.lines
        ]
        return "\n".join([head, *table, *told])


def both_balances(
    momentum: np.ndarray, kinetic: np.ndarray, parts: tuple[Part, ...]
) -> tuple[MomentumBalance, EnergyBalance]:
    """The balances of momentum (2, 6) and kinetic energy (2,) at the ends, with what all parts gave."""
    impulse = np.sum([np.zeros(6), *(part.impulse for part in parts)], axis=0)
    return MomentumBalance(momentum, impulse), EnergyBalance(kinetic, float(sum(part.work for part in parts)))


def _row(numbers: np.ndarray) -> list[str]:
    return [f"{x:.5g}" for x in numbers]


def _numbers(given, shape: tuple[int, ...]) -> np.ndarray:
    found = np.asarray(given, dtype=float)
    if found.shape != shape or not np.all(np.isfinite(found)):
        raise ValueError(f"numbers of shape {shape} are needed, got {found.shape}")
    return found


def _path(path) -> Path:
    if not isinstance(path, (str, os.PathLike)) or not str(path).strip() or "\0" in str(path):
        raise StartError(f"path {shorten(path)} is not a path; give the name of a JSON file")
    return Path(path)


def largest_parts(balance: Balance) -> tuple[Part, ...]:
    """The parts as they are shown: of very many those that gave most, and the sums of the others."""
    parts = balance.parts
    if len(parts) <= PARTS_SHOWN:
        return parts
    given = np.array([[np.abs(p.impulse[:3]).max(), np.abs(p.impulse[3:]).max(), abs(p.work)] for p in parts])
    shares = (given / np.maximum(given.max(axis=0), np.finfo(float).tiny)).max(axis=1)
    chosen = set(np.argsort(-shares, kind="stable")[: PARTS_SHOWN - 2].tolist())
    found = [part for k, part in enumerate(parts) if k in chosen]
    for inside in (False, True):
        rest = [part for k, part in enumerate(parts) if k not in chosen and part.inside is inside]
        if rest:
            impulse = np.sum([part.impulse for part in rest], axis=0)
            found.append(Part(f"{len(rest)} others", impulse, float(sum(part.work for part in rest)), inside))
    return tuple(found)


def names_of_bodies(balance: Balance) -> str:
    """The names of the bodies, or their number if there are many."""
    names = balance.bodies
    return ", ".join(names) if len(names) <= BODIES_NAMED else f"{len(names)} bodies"
