"""`vc.Table`: a function given by points or by piecewise polynomials, usable wherever a formula is."""

from dataclasses import replace
from typing import final

import numpy as np

from vinculum.errors import StartError
from vinculum.scalars.interpolation import interpolate_points, monotone_row, with_outside
from vinculum.scalars.math import floor
from vinculum.scalars.piecewise import Piecewise
from vinculum.scalars.scalar import operand
from vinculum.tolerances.functions import PERIODIC_TABLE


@final
class Table:
    """A function of one number through the points (x, y).

    ``kind``: "linear", "cubic" (a spline, not-a-knot), "natural" (the cubic spline with straight ends), "quintic", or "pchip"
    and "akima", which do not overshoot. ``outside``: "refuse" stops a run that leaves the table, "extend" continues
    with the outer polynomials, "flat" with the outer values, "repeat" is periodic (the last point is the first of the
    next period). Call it with numbers, arrays or symbols.

    >>> cam = vc.Table("cam", x=[0, 1, 2, 3], y=[0, 2, 2, 0], kind="linear")
    >>> float(cam(1.5)), float(cam(2.5))
    (2.0, 1.0)
    """

    __slots__ = ("begin", "period", "pieces")

    def __init__(self, name: str, x, y, kind: str = "cubic", outside: str = "refuse"):
        _check_name(name)
        made = interpolate_points(name, x, y, kind, isinstance(outside, str) and outside == "repeat")
        self.pieces, (self.begin, self.period) = with_outside(made, outside), _period(made, outside)

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
        made = Piecewise(name, knots[1:-1], knots[:-1], terms, float(knots[0]), float(knots[-1]))
        return _of(with_outside(made, outside), *_period(made, outside))

    @property
    def name(self) -> str:
        return self.pieces.name

    def __call__(self, x):
        x = np.asarray(x)[()]
        if self.period is not None:
            x = x - self.period * floor((x - self.begin) / self.period)
        given = np.asarray(x)
        if given.dtype != object:
            if given.dtype.kind not in "biuf":
                raise StartError(
                    f"table '{self.name}' is asked for a value at {x!r}, which is not a number; give numbers or symbols"
                )
            given = given.astype(float)
            wrong = ~self.pieces.holds(given)
            if wrong.any():
                raise StartError(self.pieces.refusal(given[wrong].flat[0]))
            return self.pieces.values(given)[()]
        return np.frompyfunc(lambda one: self.pieces.at(operand(one)), 1, 1)(x)

    def derivative(self) -> "Table":
        """The derivative as a table; at a knot, the one on the right."""
        return _of(self.pieces.derivative, self.begin, self.period)

    def integral(self) -> "Table":
        """The integral as a table, from the first origin."""
        p = self.pieces
        terms = np.pad(p.coefficients / np.arange(1.0, p.coefficients.shape[1] + 1.0), ((0, 0), (1, 0)))
        for k in range(1, p.count):
            left, right = p.breaks[k - 1] - p.origins[k - 1], p.breaks[k - 1] - p.origins[k]
            terms[k, 0] = np.polyval(terms[k - 1, ::-1], left) - np.polyval(terms[k, ::-1], right)
        made = replace(p, name=f"{p.name}_integral", coefficients=terms)
        if self.period is not None:
            ends = made.values(np.array([self.begin, self.begin + self.period]))
            if abs(ends[1] - ends[0]) > PERIODIC_TABLE * np.abs(made.values(p.origins)).max():
                raise StartError(
                    f"table '{p.name}' repeats with the mean {(ends[1] - ends[0]) / self.period:.9g}, so that its integral does not; "
                    "subtract the mean, or use a table with outside='extend'"
                )
        return _of(made, self.begin, self.period)

    def __repr__(self):
        p = self.pieces
        low, high = (p.low, p.high) if self.period is None else (self.begin, self.begin + self.period)
        again = "" if self.period is None else ", repeats"
        return f"Table('{p.name}', {p.count} pieces of degree {p.coefficients.shape[1] - 1}, {low:.9g} … {high:.9g}{again})"


def _of(pieces: Piecewise, begin: float, period: float | None) -> Table:
    table = object.__new__(Table)
    table.pieces, table.begin, table.period = pieces, begin, period
    return table


def _period(pieces: Piecewise, outside: str) -> tuple[float, float | None]:
    """Where a table begins, and after which distance it begins anew, if it does."""
    return pieces.low, pieces.high - pieces.low if outside == "repeat" else None


def _check_name(name) -> None:
    if not isinstance(name, str) or not name.isidentifier():
        raise StartError(f"table name {name!r} is not an identifier: use letters, digits and underscores")
