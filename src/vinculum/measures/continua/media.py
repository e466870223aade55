"""`Medium`: fields of one phase of a continuum, with or without spin; and fields that are known by samples."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, final

import numpy as np

from vinculum.errors import ModelError
from vinculum.screws.entries import from_function, numeric, shorten
from vinculum.tolerances.sizes import FEWEST_SAMPLES

SHAPES: dict[str, tuple[int, ...]] = {
    "density": (),
    "velocity": (3,),
    "force": (3,),
    "stress": (3, 3),
    "source": (),
    "increment": (3,),
    "momentum": (3,),
    "spin": (3,),
    "couple": (3,),
    "couple_stress": (3, 3),
    "exchange": (3,),
    "exchange_couple": (3,),
}
"""Shape of each field at one point."""


@final
@dataclass(frozen=True, eq=False)
class SampledField:
    """A field that is known on a grid: ``axes`` are four rows of increasing numbers (t [s], x, y, z [m]), ``values`` has their shape and
    then that of the field at a point. Between samples it is a cubic spline along each axis."""

    axes: Any
    values: Any

    def __post_init__(self):
        where = "sampled field"
        if not isinstance(self.axes, (tuple, list)) or len(self.axes) != 4:
            raise ModelError(f"{where}: axes {shorten(self.axes)} must be four rows of numbers: t, x, y and z")
        axes = tuple(numeric(f"{where}: axes", axis) for axis in self.axes)
        for name, axis in zip("txyz", axes, strict=True):
            fit = axis.ndim == 1 and len(axis) >= FEWEST_SAMPLES and np.all(np.isfinite(axis))
            if not fit or not np.all(np.diff(axis) > 0.0):
                raise ModelError(
                    f"{where}: axis {name} of shape {axis.shape} must be at least {FEWEST_SAMPLES} increasing numbers; "
                    "sample it more finely"
                )
        values, wanted = numeric(f"{where}: values", self.values), tuple(len(axis) for axis in axes)
        if values.shape[:4] != wanted or not np.all(np.isfinite(values)):
            raise ModelError(
                f"{where}: values of shape {values.shape} must be finite numbers of shape {wanted} and that of the field"
            )
        object.__setattr__(self, "axes", axes)
        object.__setattr__(self, "values", values)

    def __call__(self, x: np.ndarray, t: np.ndarray) -> np.ndarray:
        """The field at points (n, 3) and instants (n,)."""
        points = np.column_stack([t, x])
        low, high = np.array([[axis[0], axis[-1]] for axis in self.axes]).T
        if np.any(points < low) or np.any(points > high):
            raise ModelError(
                f"sampled field: it is known from {low.tolist()} to {high.tolist()} (t, x, y, z); choose a box and a window within"
            )
        return self._spline(points)

    def coarse(self) -> Callable:
        """The same field from every second sample and the last, to see what the samples do not tell."""
        rows = [np.unique(np.append(np.arange(0, len(axis), 2), len(axis) - 1)) for axis in self.axes]
        axes = tuple(axis[k] for axis, k in zip(self.axes, rows, strict=True))
        spline = _spline_of(axes, self.values[np.ix_(*rows)])
        return lambda x, t: spline(np.column_stack([t, x]))

    @cached_property
    def _spline(self) -> Callable:
        return _spline_of(self.axes, self.values)


def _spline_of(axes: tuple[np.ndarray, ...], values: np.ndarray) -> Callable:
    """The tensor product of cubic splines along each axis."""
    from scipy.interpolate import NdBSpline, make_interp_spline

    knots, coefficients = [], values
    for k, axis in enumerate(axes):
        along = make_interp_spline(axis, np.moveaxis(coefficients, k, 0), k=3)
        knots.append(along.t)
        coefficients = np.moveaxis(along.c, 0, k)
    return NdBSpline(tuple(knots), coefficients, 3)


@final
@dataclass(frozen=True, eq=False)
class Medium:
    r"""One phase of a continuum: fields as functions of places x (n, 3) [m] and instants t (n,) [s].

    .. math:: \dot p + p\,\operatorname{div} v = f + \operatorname{div}\mathcal T,\qquad
        \dot q + q\,\operatorname{div} v + v\times p = m + \operatorname{div}\mathcal C + \operatorname{ax}\mathcal T

    ``density`` [kg/m³] and ``velocity`` are needed; others are zero where they are left out. ``momentum`` p (ρ v by default) and ``spin`` q
    per volume; ``force`` f and ``couple`` m per volume from outside; ``stress`` 𝒯 and ``couple_stress`` 𝒞 (n, 3, 3), which act on a normal
    n as 𝒯 n; ``source`` ν [kg/(m³ s)] and ``increment`` [N/m³], the mass and the momentum that it brings; ``exchange`` [N/m³] and
    ``exchange_couple``: what the other phases exert. Each is a function, or a `SampledField`. Cheremensky, On Concept of Mechanical
    System, (15)–(19) and section 2.4.1.
    """

    name: str
    density: Callable
    velocity: Callable
    force: Callable | None = None
    stress: Callable | None = None
    source: Callable | None = None
    increment: Callable | None = None
    momentum: Callable | None = None
    spin: Callable | None = None
    couple: Callable | None = None
    couple_stress: Callable | None = None
    exchange: Callable | None = None
    exchange_couple: Callable | None = None

    def __post_init__(self):
        if not isinstance(self.name, str) or not self.name.strip():
            raise ModelError(f"medium: the name {shorten(self.name)} is not a word: give a non-empty string")
        for what in SHAPES:
            given = getattr(self, what)
            if not callable(given) and (given is not None or what in ("density", "velocity")):
                raise ModelError(
                    f"medium '{self.name}': {what} is {shorten(given)}; give a function of places (n, 3) and instants (n,)"
                )

    def at(self, what: str, x: np.ndarray, t: np.ndarray) -> np.ndarray:
        """One of its fields at points and instants, (n, …); zero where it has none."""
        field, shape = getattr(self, what), (len(t), *SHAPES[what])
        if field is None and what == "momentum":
            return self.at("density", x, t)[:, None] * self.at("velocity", x, t)
        if field is None:
            return np.zeros(shape)
        where = f"medium '{self.name}': {what}"
        found = from_function(where, field, x, t)
        if found.shape != shape or not np.all(np.isfinite(found)):
            raise ModelError(
                f"{where} gives shape {found.shape} for {len(t)} points; return finite numbers of shape {shape}"
            )
        return found


def is_sampled(medium: Medium) -> bool:
    """Whether one of the fields of a medium is known by samples alone."""
    return any(isinstance(getattr(medium, one), SampledField) for one in SHAPES)


def coarsen(medium: Medium) -> Medium:
    """The same medium with its sampled fields from every second sample."""
    given = {what: getattr(medium, what) for what in SHAPES}
    coarse = {what: x.coarse() for what, x in given.items() if isinstance(x, SampledField)}
    return replace(medium, **coarse)
