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
class Dimensions:
    """Dimensions of positions and velocities that constraints on velocities allow.

    ``velocities``: of the system (with time, one more where time enters); ``on_positions``: independent conditions on positions;
    ``growth``: dimensions of the admissible velocities, then with their brackets, and so on.
    """

    velocities: int
    on_positions: int
    growth: tuple[int, ...]

    @property
    def positions(self) -> int:
        """Dimension of the positions that satisfy the constraints on positions."""
        return self.velocities - self.on_positions

    @property
    def freedoms(self) -> int:
        """Independent velocities; with time where it enters."""
        return self.growth[0]

    @property
    def reachable(self) -> int:
        """Dimension of the set reachable from one position."""
        return self.growth[-1]


@final
@dataclass(frozen=True)
class IntegrableRows:
    """Combinations of the rows of constraints that are rates of functions of the position, up to factors.

    ``count``: of independent ones. ``combinations``: their coefficients, (rows,) each; None if they depend on the position.
    ``functions``: the functions of the position that these keep constant, None where no closed form was found.
    """

    count: int
    combinations: tuple[tuple[float, ...], ...] | None
    functions: tuple[str | None, ...] = ()


@final
@dataclass(frozen=True)
class Integrability:
    """Integrability of constraints on velocities, and the dimension of the reachable set.

    ``dimensions``: of positions and velocities; ``rank``: independent rows of the constraints beyond the conditions on positions;
    ``redundant``: dependent rows, as (constraint, row); ``integrals``: the integrable combinations of rows; ``timed``: whether time enters.
    """

    system: str
    constraints: tuple[str, ...]
    dimensions: Dimensions
    rank: int
    redundant: tuple[tuple[str, str], ...]
    rows: tuple[RowLine, ...]
    integrals: IntegrableRows
    timed: bool

    @property
    def bracket_generating(self) -> bool:
        """Whether every nearby position can be reached."""
        return self.dimensions.reachable == self.dimensions.positions

    @property
    def verdict(self) -> str:
        """ "holonomic", "semi-holonomic" or "nonholonomic"."""
        if self.integrals.count == self.rank:
            return "holonomic"
        return "semi-holonomic" if self.integrals.count else "nonholonomic"

    def to_dict(self) -> dict:
        """Plain data."""
        sizes, integrals = self.dimensions, self.integrals
        return {"system": self.system, "constraints": list(self.constraints), "verdict": self.verdict,
                "velocities": sizes.velocities, "on_positions": sizes.on_positions, "rank": self.rank,
                "growth": list(sizes.growth), "reachable": sizes.reachable, "freedoms": sizes.freedoms, "integrable": integrals.count,
                "bracket_generating": self.bracket_generating, "redundant": [list(x) for x in self.redundant],
                "rows": [{"constraint": x.constraint, "row": x.row, "exact": x.exact, "alone": x.alone} for x in self.rows],
                "combinations": None if integrals.combinations is None else [list(x) for x in integrals.combinations],
                "functions": list(integrals.functions), "timed": self.timed}  # fmt: skip

    def __str__(self):
        names = ", ".join(f"'{name}'" for name in self.constraints)
        where, sizes, integrals = "positions and time" if self.timed else "positions", self.dimensions, self.integrals
        table = [
            ("constraint", "row", "exact", "integrable alone"),
            *((x.constraint, x.row, _yes_or_no(x.exact), _yes_or_no(x.alone)) for x in self.rows),
        ]
        widths = [max(len(row[i]) for row in table) for i in range(4)]
        lines = ["  ".join(x.ljust(w) for x, w in zip(row, widths, strict=True)).rstrip() for row in table]
        lines.insert(1, "-" * max(map(len, lines)))
        ending = [
            f"{where}: {sizes.positions} dimensions ({sizes.velocities} velocities, {sizes.on_positions} "
            f"condition{'s' * (sizes.on_positions != 1)} on positions)",
            f"independent rows: {self.rank}, degrees of freedom: {sizes.freedoms}",
            f"brackets span: {' → '.join(map(str, sizes.growth))}; reachable: {sizes.reachable} of {sizes.positions}",
        ]
        if self.redundant:
            ending.append("redundant: " + ", ".join(f"row {row} of '{name}'" for name, row in self.redundant))
        if 0 < integrals.count < self.rank:
            ending.append(f"{integrals.count} of {self.rank} integrate: {self._combination_text()}")
        ending += [f"kept: {function}" for function in integrals.functions if function is not None]
        return "\n".join([f"Constraints {names} of '{self.system}' are {self.verdict}", *lines, *ending])

    def _combination_text(self) -> str:
        if self.integrals.combinations is None:
            return "combinations with coefficients that depend on the position"
        return "; ".join(
            " + ".join(f"{c:.6g}·{x.constraint}[{x.row}]" for c, x in zip(row, self.rows, strict=True) if c)
            for row in self.integrals.combinations
        )


def _yes_or_no(it_is: bool) -> str:
    return "yes" if it_is else "no"
