"""`Integrability`: the result for constraints on velocities, as a table."""

from dataclasses import dataclass
from typing import final


@final
@dataclass(frozen=True)
class RowLine:
    """One row of a constraint: whether its form is exact (dω = 0), and whether it integrates by itself (dω ∧ ω = 0).

    Both on the motions that satisfy the constraints on positions.
    """

    constraint: str
    row: str
    exact: bool
    alone: bool


@final
@dataclass(frozen=True)
class Integrability:
    """Integrability of constraints on velocities, and the dimension of the reachable set.

    ``velocities``: of the system (with time, one more where ``timed``); ``on_places``: independent conditions on positions;
    ``rank``: independent rows of the constraints beyond these; ``growth``: dimensions of the admissible velocities,
    then with their brackets, and so on; ``redundant``: dependent rows, as (constraint, row). ``combinations``:
    coefficients of the integrable combinations of rows, (rows,) each; None if they depend on the position;
    ``functions``: the functions of the position that these keep constant, None where no closed form was found.
    """

    system: str
    constraints: tuple[str, ...]
    velocities: int
    on_places: int
    rank: int
    growth: tuple[int, ...]
    redundant: tuple[tuple[str, str], ...]
    rows: tuple[RowLine, ...]
    combinations: tuple[tuple[float, ...], ...] | None
    timed: bool
    functions: tuple[str | None, ...] = ()

    @property
    def places(self) -> int:
        """Dimension of the positions that satisfy the constraints on positions."""
        return self.velocities - self.on_places

    @property
    def freedoms(self) -> int:
        """Independent velocities; with time where ``timed``."""
        return self.growth[0]

    @property
    def reachable(self) -> int:
        """Dimension of the set reachable from one position."""
        return self.growth[-1]

    @property
    def integrable(self) -> int:
        """Number of independent combinations of the rows that are rates of functions of the position, up to
        factors."""
        return self.places - self.reachable

    @property
    def bracket_generating(self) -> bool:
        """Whether every nearby position can be reached."""
        return self.reachable == self.places

    @property
    def verdict(self) -> str:
        """ "holonomic", "semi-holonomic" or "nonholonomic"."""
        if self.integrable == self.rank:
            return "holonomic"
        return "semi-holonomic" if self.integrable else "nonholonomic"

    def to_dict(self) -> dict:
        """Plain data."""
        return {"system": self.system, "constraints": list(self.constraints), "verdict": self.verdict,
                "velocities": self.velocities, "on_places": self.on_places, "rank": self.rank, "growth": list(self.growth),
                "reachable": self.reachable, "freedoms": self.freedoms, "integrable": self.integrable,
                "bracket_generating": self.bracket_generating, "redundant": [list(x) for x in self.redundant],
                "rows": [{"constraint": x.constraint, "row": x.row, "exact": x.exact, "alone": x.alone} for x in self.rows],
                "combinations": None if self.combinations is None else [list(x) for x in self.combinations],
                "functions": list(self.functions), "timed": self.timed}  # fmt: skip

    def __str__(self):
        names = ", ".join(f"'{name}'" for name in self.constraints)
        where = "places and time" if self.timed else "places"
        table = [
            ("constraint", "row", "exact", "integrable alone"),
            *((x.constraint, x.row, _yes_or_no(x.exact), _yes_or_no(x.alone)) for x in self.rows),
        ]
        widths = [max(len(row[i]) for row in table) for i in range(4)]
        lines = ["  ".join(x.ljust(w) for x, w in zip(row, widths, strict=True)).rstrip() for row in table]
        lines.insert(1, "-" * max(map(len, lines)))
        ending = [
            f"{where}: {self.places} dimensions ({self.velocities} velocities, {self.on_places} "
            f"condition{'s' * (self.on_places != 1)} on positions)",
            f"independent rows: {self.rank}, degrees of freedom: {self.freedoms}",
            f"brackets span: {' → '.join(map(str, self.growth))}; reachable: {self.reachable} of {self.places}",
        ]
        if self.redundant:
            ending.append("redundant: " + ", ".join(f"row {row} of '{name}'" for name, row in self.redundant))
        if 0 < self.integrable < self.rank:
            ending.append(f"{self.integrable} of {self.rank} integrate: {self._combination_text()}")
        ending += [f"kept: {function}" for function in self.functions if function is not None]
        return "\n".join([f"Constraints {names} of '{self.system}' are {self.verdict}", *lines, *ending])

    def _combination_text(self) -> str:
        if self.combinations is None:
            return "combinations with coefficients that depend on the position"
        return "; ".join(
            " + ".join(f"{c:.6g}·{x.constraint}[{x.row}]" for c, x in zip(row, self.rows, strict=True) if c)
            for row in self.combinations
        )


def _yes_or_no(it_is: bool) -> str:
    return "yes" if it_is else "no"
