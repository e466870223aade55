"""Support functions of convex bodies, and the contact point with a plane."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, final

import numpy as np

from vinculum.bonds.symbol import Symbol
from vinculum.errors import ModelError, shorten
from vinculum.scalars import Scalar, gradient, substitute, symbols, value
from vinculum.scalars.math import cross, dot, norm

DIRECTIONS = 400
"""Directions in which the surface of a body is found to draw it."""


@final
@dataclass(frozen=True, eq=False)
class Homogeneous:
    """A support function of all vectors, homogeneous of degree one: h(k u) = k h(u); ``singular``: where it has no gradient, in words;
    ``symbol``: what its body looks like."""

    function: Callable
    singular: str = ""
    symbol: Symbol | None = None

    def __call__(self, u) -> Any:
        return self.function(u)


def of_disc(radius, axis, center) -> Homogeneous:
    r"""h(u) = c·u + r |a × u|: a thin disc of radius r about c, across the unit vector a."""
    return Homogeneous(
        partial(_disc, radius, axis, center), "the disc lies flat", Symbol("disc", (center,), (axis,), (radius,))
    )


def of_sphere(radius, center) -> Homogeneous:
    """h(u) = c·u + r |u|: a ball of radius r about c."""
    return Homogeneous(partial(_sphere, radius, center), symbol=Symbol("ball", (center,), sizes=(radius,)))


def of_ellipsoid(semi_axes, center) -> Homogeneous:
    """h(u) = c·u + √Σ(aᵢ uᵢ)²: an ellipsoid about c with semi-axes a along the axes of the body's frame."""
    return Homogeneous(
        partial(_ellipsoid, semi_axes, center), symbol=Symbol("ellipsoid", (center,), sizes=tuple(semi_axes))
    )


def _disc(radius, axis, center, u) -> Any:
    return dot(center, u) + radius * norm(cross(axis, u))


def _sphere(radius, center, u) -> Any:
    return dot(center, u) + radius * norm(u)


def _ellipsoid(semi_axes, center, u) -> Any:
    return dot(center, u) + norm(semi_axes * u)


def extend_support(support: Callable) -> Callable:
    """The support function of unit vectors, continued to all vectors: |u| h(u / |u|)."""
    return support if isinstance(support, Homogeneous) else lambda u: norm(u) * _height(support, u / norm(u))


def _height(support: Callable, u) -> Any:
    h = support(u)
    h = h.item() if isinstance(h, np.ndarray) and h.shape == () else h
    if not isinstance(h, (Scalar, float, int, np.number)):
        raise ModelError(
            f"support returned {shorten(h)}; return one number, the largest u·x [m] of the body's points x along the unit vector u"
        )
    return h


def surface_points(support: Callable, values: Mapping[str, float] | None = None) -> np.ndarray:
    """Points (n, 3) [m] all over the surface of a convex body: those furthest along directions spread over a sphere."""
    k = np.arange(DIRECTIONS) + 0.5
    z, turn = 1.0 - 2.0 * k / DIRECTIONS, np.pi * (1.0 + np.sqrt(5.0)) * k
    across = np.sqrt(1.0 - z * z)
    s = symbols("u", 3)
    slope = gradient(extend_support(support)(s), s)
    every = np.stack([across * np.cos(turn), across * np.sin(turn), z], axis=1)
    return np.array([value(substitute(slope, s, u), values) for u in every])


def touching_point(support: Callable, u) -> np.ndarray:
    r"""The point (3,) of a convex body that is furthest along u.

    .. math:: p = \frac{\partial h}{\partial u},\qquad h(u) = \max_{x}\,u\cdot x = u\cdot p

    ``support``: h, homogeneous of degree one. Rockafellar, Convex Analysis, Corollary 23.5.3.
    """
    s = symbols("u", 3)
    return substitute(gradient(support(s), s), s, u)
