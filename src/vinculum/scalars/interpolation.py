"""Piecewise polynomials through points."""

import math
from dataclasses import replace

import numpy as np

from vinculum.errors import StartError, did_you_mean
from vinculum.scalars.piecewise import Piecewise
from vinculum.tolerances.functions import PERIODIC_TABLE

KINDS = {"linear": 2, "cubic": 2, "natural": 2, "quintic": 6, "pchip": 2, "akima": 2}
"""Kinds of interpolation with the fewest points that each takes."""

OUTSIDE = ("refuse", "extend", "flat", "repeat")


def interpolate_points(name: str, x, y, kind: str, repeats: bool = False) -> Piecewise:
    """The pieces between the points, with values between the first and the last only.

    ``repeats``: the last point is the first of the next period, and the pieces meet there as they do elsewhere.
    """
    if not isinstance(kind, str) or kind not in KINDS:
        raise StartError(
            f"table '{name}': kind {kind!r} is not known{did_you_mean(kind, KINDS)}; use {', '.join(KINDS)}"
        )
    x, y = monotone_row(name, "x", x), finite_row(name, "y", y)
    if len(x) != len(y):
        raise StartError(f"table '{name}': x has {len(x)} numbers and y has {len(y)}; give one y for each x")
    if len(x) < KINDS[kind]:
        raise StartError(
            f"table '{name}': {len(x)} point{'s are' if len(x) != 1 else ' is'} too few; kind '{kind}' needs at least {KINDS[kind]}"
        )
    if repeats:
        if kind == "natural":
            raise StartError(f"table '{name}': kind 'natural' has straight ends and cannot repeat; use kind='cubic'")
        if abs(y[-1] - y[0]) > PERIODIC_TABLE * np.abs(y).max():
            raise StartError(f"table '{name}' is to repeat, but its last y = {y[-1]:.9g} is not its first, {y[0]:.9g}; "
                             "the last point is the first of the next period")  # fmt: skip
        y[-1] = y[0]
    try:
        terms = _repeating_terms(x, y, kind) if repeats else _terms(x, y, kind)
    except (ValueError, np.linalg.LinAlgError):
        terms = np.array([np.nan])
    if not np.isfinite(terms).all():
        raise StartError(f"table '{name}': the polynomials through its points overflow; choose other units of x and y")
    return Piecewise(name, x[1:-1], x[:-1], terms, float(x[0]), float(x[-1]))


def _terms(x: np.ndarray, y: np.ndarray, kind: str) -> np.ndarray:
    """Coefficients (K, degree + 1) of powers of the distance from the left ends."""
    with np.errstate(all="ignore"):
        if kind == "linear" or len(x) == 2:
            return np.stack([y[:-1], np.diff(y) / np.diff(x)], axis=1)
        from scipy import interpolate

        if kind == "quintic":
            return _terms_of_spline(interpolate.make_interp_spline(x, y, k=5), x, y)
        if kind == "pchip":
            made = interpolate.PchipInterpolator(x, y)
        elif kind == "akima":
            made = interpolate.Akima1DInterpolator(x, y)
        else:
            made = interpolate.CubicSpline(x, y, bc_type="natural" if kind == "natural" else "not-a-knot")
        return np.ascontiguousarray(made.c[::-1].T)


def _repeating_terms(x: np.ndarray, y: np.ndarray, kind: str) -> np.ndarray:
    """The same for a function that repeats: one that looks at few neighbors sees copies of the points on both sides."""
    count, period = len(x) - 1, x[-1] - x[0]
    if kind in ("cubic", "quintic") and count > 1:
        from scipy import interpolate

        if kind == "cubic":
            return np.ascontiguousarray(interpolate.CubicSpline(x, y, bc_type="periodic").c[::-1].T)
        return _terms_of_spline(interpolate.make_interp_spline(x, y, k=5, bc_type="periodic"), x, y)
    copies = np.concatenate([x[:-1] + shift * period for shift in range(-3, 4)] + [x[-1:] + 3 * period])
    return _terms(copies, np.concatenate([np.tile(y[:-1], 7), y[-1:]]), kind)[3 * count : 4 * count]


def _terms_of_spline(spline, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Taylor's terms of a quintic spline at the left end of every interval of ``x``: one polynomial may reach over several intervals, and
    shifting its terms from one to the next would lose digits."""
    terms = [spline.derivative(j)(x[:-1]) / math.factorial(j) if j else y[:-1] for j in range(6)]
    return np.stack(terms, axis=1)


def with_outside(pieces: Piecewise, outside: str) -> Piecewise:
    """The pieces with what is to be beyond their ends."""
    if not isinstance(outside, str) or outside not in OUTSIDE:
        raise StartError(
            f"table '{pieces.name}': outside {outside!r} is not known{did_you_mean(outside, OUTSIDE)}; use {', '.join(OUTSIDE)}"
        )
    if outside == "refuse":
        return pieces
    if outside in ("extend", "repeat"):
        return pieces.extended
    ends = np.array([pieces.low, pieces.high])
    flat = np.zeros((2, pieces.coefficients.shape[1]))
    flat[:, 0] = pieces.values(ends)
    return replace(
        pieces.extended,
        breaks=np.concatenate([ends[:1], pieces.breaks, ends[1:]]),
        origins=np.concatenate([ends[:1], pieces.origins, ends[1:]]),
        coefficients=np.concatenate([flat[:1], pieces.coefficients, flat[1:]]),
    )


def monotone_row(name: str, what: str, given) -> np.ndarray:
    """A row of increasing finite numbers."""
    row = finite_row(name, what, given)
    wrong = np.flatnonzero(np.diff(row) <= 0.0)
    if len(wrong):
        i = int(wrong[0])
        raise StartError(f"table '{name}': {what}[{i + 1}] = {row[i + 1]:.9g} does not come after {what}[{i}] = {row[i]:.9g}; "
                         "sort the points and keep one of those with the same place")  # fmt: skip
    return row


def finite_row(name: str, what: str, given) -> np.ndarray:
    """A row of finite numbers."""
    try:
        row = np.array(given, dtype=float)
    except (TypeError, ValueError) as error:
        raise StartError(f"table '{name}': {what} is not a list of numbers: {error}") from error
    if row.ndim != 1:
        raise StartError(f"table '{name}': {what} has shape {row.shape} and must be one row of numbers")
    wrong = np.flatnonzero(~np.isfinite(row))
    if len(wrong):
        raise StartError(
            f"table '{name}': {what}[{wrong[0]}] is {row[wrong[0]]} and must be finite; leave the point out"
        )
    return row
