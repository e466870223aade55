"""Plane and space curves with singular points, given by equations and by a parameter."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.integrate import quad
from scipy.optimize import brentq


@dataclass(frozen=True)
class Curve:
    """``rows``: functions of the coordinates that vanish; ``at``: the curve by its parameter u; from ``start`` it comes to its singular
    point at ``singular``. ``passes``: whether it goes on smoothly from there, as the velocity says."""

    rows: Callable
    at: Callable
    start: float
    singular: float
    passes: bool

    def slope(self, u: float) -> np.ndarray:
        """∂x/∂u, by a step into the complex plane."""
        return np.array([np.imag(x) for x in self.at(u + 1e-30j)]) / 1e-30

    @property
    def position(self) -> np.ndarray:
        return np.asarray(self.at(self.start), dtype=float)

    @property
    def direction(self) -> np.ndarray:
        """The unit tangent towards the singular point."""
        slope = np.sign(self.singular - self.start) * self.slope(self.start)
        return slope / np.linalg.norm(slope)

    def length(self, u: float) -> float:
        """Length of the curve from its start."""
        return abs(quad(lambda x: np.linalg.norm(self.slope(x)), self.start, u, epsabs=1e-12, epsrel=1e-12, points=[self.singular]
                        if min(self.start, u) < self.singular < max(self.start, u) else None)[0])  # fmt: skip

    @property
    def reached(self) -> float:
        """When a point with unit speed comes to the singular point."""
        return self.length(self.singular)

    def after(self, length: float) -> np.ndarray:
        """Where a point is that has gone so far."""
        toward = np.sign(self.singular - self.start)
        u = brentq(lambda x: self.length(x) - length, self.start, self.singular + 0.5 * toward, xtol=1e-14, rtol=1e-14)
        return np.asarray(self.at(u), dtype=float)


def _square(q):
    return q[0] * q[0] + q[1] * q[1]


CURVES = {
    "lemniscate of Bernoulli": Curve(lambda q: [_square(q) ** 2 - q[0] ** 2 + q[1] ** 2], lambda u: (
        np.cos(u) / (1 + np.sin(u) ** 2), np.sin(u) * np.cos(u) / (1 + np.sin(u) ** 2)), 0.3, np.pi / 2, True),
    "lemniscate of Gerono": Curve(lambda q: [q[0] ** 4 - q[0] ** 2 + q[1] ** 2],
                                  lambda u: (np.cos(u), np.sin(u) * np.cos(u)), 0.4, np.pi / 2, True),
    "folium": Curve(lambda q: [q[0] ** 3 + q[1] ** 3 - 3 * q[0] * q[1]],
                    lambda u: (3 * u / (1 + u**3), 3 * u * u / (1 + u**3)), 0.6, 0.0, True),
    "nodal cubic": Curve(lambda q: [q[1] ** 2 - q[0] ** 2 * (q[0] + 1)], lambda u: (u * u - 1, u * (u * u - 1)), 1.5, 1.0, True),
    "two lines": Curve(lambda q: [q[0] * q[1]], lambda u: (u, 0.0), -0.5, 0.0, True),
    "two sines": Curve(lambda q: [q[1] ** 2 - (q[0] - q[0] ** 3) ** 2], lambda u: (u, u - u**3), -0.4, 0.0, True),
    "trifolium": Curve(lambda q: [_square(q) ** 2 - q[0] ** 3 + 3 * q[0] * q[1] ** 2],
                       lambda u: (np.cos(3 * u) * np.cos(u), np.cos(3 * u) * np.sin(u)), 0.1, np.pi / 6, False),
    "cusp": Curve(lambda q: [q[1] ** 2 - q[0] ** 3], lambda u: (u * u, u**3), 1.0, 0.0, False),
    "cusp of fifth order": Curve(lambda q: [q[1] ** 2 - q[0] ** 5], lambda u: (u * u, u**5), 0.9, 0.0, False),
    "astroid": Curve(lambda q: [(_square(q) - 1) ** 3 + 27 * (q[0] * q[1]) ** 2],
                     lambda u: (np.cos(u) ** 3, np.sin(u) ** 3), 0.7, 0.0, False),
    "cardioid": Curve(lambda q: [(_square(q) - q[0]) ** 2 - _square(q)],
                      lambda u: ((1 + np.cos(u)) * np.cos(u), (1 + np.cos(u)) * np.sin(u)), 1.8, np.pi, False),
    "ramphoid cusp": Curve(lambda q: [(q[1] - q[0] ** 2) ** 2 - q[0] ** 5], lambda u: (u * u, u**4 + u**5), 0.8, 0.0, False),
    "tacnode": Curve(lambda q: [q[1] ** 2 - q[0] ** 4], lambda u: (u, u * u), -0.8, 0.0, False),
    "circles that touch": Curve(lambda q: [(_square(q) - 2 * q[0]) * (_square(q) + 2 * q[0])],
                                lambda u: (1 + np.cos(u), np.sin(u)), 1.8, np.pi, False),
    "Viviani's curve": Curve(lambda q: [_square(q) + q[2] ** 2 - 4, _square(q) - 2 * q[0]],
                             lambda u: (1 + np.cos(u), np.sin(u), 2 * np.sin(u / 2)), -1.0, 0.0, True),
    "two cylinders": Curve(lambda q: [_square(q) - 1, q[0] ** 2 + q[2] ** 2 - 1],
                           lambda u: (np.cos(u), np.sin(u), np.sin(u)), -0.8, 0.0, True),
    "apex of a cone": Curve(lambda q: [_square(q) - q[2] ** 2], lambda u: (0.6 * u, 0.8 * u, u), -0.5, 0.0, True),
    "cusp in space": Curve(lambda q: [q[1] ** 2 - q[0] ** 3, q[2] - q[0] - q[1]], lambda u: (u * u, u**3, u * u + u**3), 0.9, 0.0,
                           False),
}  # fmt: skip
"""Of two lines and sines, velocities say which branch is taken; at cusps they must turn over; where branches touch, and where three meet,
position and velocity at the point do not determine the accelerations."""
