"""`vc.Table`: a function given by points or by piecewise polynomials, usable wherever a formula is."""

from dataclasses import replace
from typing import final

import numpy as np

from vinculum.errors import StartError
from vinculum.scalars.interpolation import KINDS, interpolated, monotone_row, with_outside
from vinculum.scalars.piecewise import Piecewise
from vinculum.scalars.scalar import operand

__all__ = ["KINDS", "Table"]


@final
class Table:
    """A function of one number through the points (x, y).

    ``kind``: "linear", "cubic" (a spline, not-a-knot), "natural" (the cubic spline with straight ends), "quintic", or "pchip"
    and "akima", which do not overshoot. ``outside``: "refuse" stops a run that leaves the table, "extend" goes on with the
    outer polynomials, "flat" with the outer values. Called with numbers, arrays or symbols it gives the value there.
    """

    __slots__ = ("pieces",)

    def __init__(self, name: str, x, y, kind: str = "cubic", outside: str = "refuse"):
        _check_name(name)
        self.pieces = with_outside(interpolated(name, x, y, kind), outside)

    @classmethod
    def of_polynomials(cls, name: str, knots, coefficients, outside: str = "refuse") -> "Table":
        """The table of K polynomials between K + 1 knots. ``coefficients`` (K, degree + 1): c₀, c₁, … of powers of the
        distance from the knot on the left."""
        _check_name(name)
        knots = monotone_row(name, "knots", knots)
        try:
            terms = np.array(coefficients, dtype=float)
        except (TypeError, ValueError) as error:
            raise StartError(f"table '{name}': the coefficients are not a matrix of numbers: {error}") from error
        if len(knots) < 2 or terms.ndim != 2 or terms.shape[0] != len(knots) - 1 or not terms.shape[1]:
            raise StartError(
                f"table '{name}': {len(knots)} knots bound {max(len(knots) - 1, 0)} pieces, and the coefficients have shape "
                f"{terms.shape}; give at least two knots and one row c0, c1, … for each piece"
            )
        if not np.isfinite(terms).all():
            raise StartError(f"table '{name}': row {int(np.argmin(np.isfinite(terms).all(axis=1)))} of its coefficients "
                             "is not finite; check the numbers")  # fmt: skip
        return _of(
            with_outside(Piecewise(name, knots[1:-1], knots[:-1], terms, float(knots[0]), float(knots[-1])), outside)
        )

    @property
    def name(self) -> str:
        return self.pieces.name

    def __call__(self, x):
        given = np.asarray(x)
        if given.dtype != object:
            given = given.astype(float)
            wrong = ~self.pieces.holds(given)
            if wrong.any():
                raise StartError(self.pieces.refusal(given[wrong].flat[0]))
            return self.pieces.values(given)[()]
        return np.frompyfunc(lambda one: self.pieces.at(operand(one)), 1, 1)(x)

    def derivative(self) -> "Table":
        """The table of the slopes; at a knot, that on the right."""
        return _of(self.pieces.slope)

    def integral(self) -> "Table":
        """The table of the area below this one, counted from the first origin on."""
        p = self.pieces
        terms = np.pad(p.coefficients / np.arange(1.0, p.coefficients.shape[1] + 1.0), ((0, 0), (1, 0)))
        for k in range(1, p.count):
            left, right = p.breaks[k - 1] - p.origins[k - 1], p.breaks[k - 1] - p.origins[k]
            terms[k, 0] = np.polyval(terms[k - 1, ::-1], left) - np.polyval(terms[k, ::-1], right)
        return _of(replace(p, name=f"{p.name}_integral", coefficients=terms))

    def __repr__(self):
        p = self.pieces
        return (
            f"Table('{p.name}', {p.count} pieces of degree {p.coefficients.shape[1] - 1}, {p.low:.9g} … {p.high:.9g})"
        )


def _of(pieces: Piecewise) -> Table:
    table = object.__new__(Table)
    table.pieces = pieces
    return table


def _check_name(name) -> None:
    if not isinstance(name, str) or not name.isidentifier():
        raise StartError(f"table name {name!r} is not an identifier: use letters, digits and underscores")
