"""Euler angles in each of the twelve sequences of moving axes."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.errors import StartError
from vinculum.scalars import math, vector
from vinculum.screws.chart import Chart
from vinculum.screws.entries import numeric
from vinculum.screws.quaternions import quaternion_product, unit_quaternion
from vinculum.screws.rotations import rotation
from vinculum.tolerances.rank import LOCKED

SEQUENCES = ("xyz", "xzy", "yzx", "yxz", "zxy", "zyx", "xyx", "xzx", "yxy", "yzy", "zxz", "zyz")


@final
@dataclass(frozen=True)
class Euler(Chart):
    r"""Three angles (φ, ϑ, ψ) about three moving axes, :math:`C = C_a(\varphi)\,C_b(\vartheta)\,C_c(\psi)`.

    ``sequence`` names the axes: "xyz" as in the paper, or any of the twelve. With three different axes the chart is
    singular at ϑ = ±π/2, with a = c at ϑ = 0 and π. Cheremensky, On Concept of Mechanical System, eqs. (28)–(30).
    """

    sequence: str = "xyz"
    size = 3
    labels = ("phi", "theta", "psi")
    identity = (0.0, 0.0, 0.0)

    def __post_init__(self):
        if self.sequence not in SEQUENCES:
            raise StartError(f"Euler sequence {self.sequence!r} is not known: use one of {', '.join(SEQUENCES)}")

    @property
    def name(self) -> str:
        return self.sequence

    def matrix(self, c) -> np.ndarray:
        phi, theta, psi = self.coordinates(c)
        a, b, c = (np.eye(3)["xyz".index(letter)] for letter in self.sequence)
        return rotation(a, phi) @ rotation(b, theta) @ rotation(c, psi)

    def D(self, c) -> np.ndarray:
        e, sine, cosine, s, cs = self._factors(c)
        if self._proper:
            rows = [[cosine, 0.0, 1.0], [sine * s, cs, 0.0], [e * sine * cs, -e * s, 0.0]]
        else:
            rows = [[cosine * cs, e * s, 0.0], [-e * cosine * s, cs, 0.0], [e * sine, 0.0, 1.0]]
        return vector(rows)[np.argsort(self._axes)]

    def D_inverse(self, c) -> np.ndarray:
        e, sine, cosine, s, cs = self._factors(c)
        if self._proper:
            phi = [0.0, s / sine, e * cs / sine]
            rows = [phi, [0.0, cs, -e * s], [1.0, -cosine * phi[1], -cosine * phi[2]]]
        else:
            phi = [cs / cosine, -e * s / cosine, 0.0]
            rows = [phi, [e * s, cs, 0.0], [-e * sine * phi[0], -e * sine * phi[1], 1.0]]
        return vector(rows)[:, np.argsort(self._axes)]

    def compose(self, a, b) -> np.ndarray:
        """Angles of the product of the matrices of a and b. ``a``, ``b``: (3,) numbers."""
        return self.from_quaternion(quaternion_product(self.quaternion(a), self.quaternion(b)))

    def quaternion(self, c) -> np.ndarray:
        half = 0.5 * self.coordinates(c)
        turns = []
        for angle, letter in zip(half, self.sequence, strict=True):
            turns.append(np.concatenate([[math.cos(angle)], math.sin(angle) * np.eye(3)["xyz".index(letter)]]))
        return quaternion_product(quaternion_product(turns[0], turns[1]), turns[2])

    def from_quaternion(self, q) -> np.ndarray:
        """Angles with ϑ in [−π/2, π/2], or in [0, π] if a = c; ψ = 0 where the chart is singular. ``q``: (4,) numbers."""
        theta, sigma, delta = map(float, self.half_angles(unit_quaternion(numeric("Euler angles", q))))
        sigma, delta = (delta, delta) if np.isnan(sigma) else (sigma, sigma) if np.isnan(delta) else (sigma, delta)
        return np.array([_wrap(sigma + delta), theta, _wrap(sigma - delta)])

    def half_angles(self, q) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        r"""ϑ, half the sum σ and half the difference δ of φ and ψ; NaN for the one that a singular place leaves open.

        .. math:: \Lambda = \cos\tfrac\vartheta2\,(\cos\sigma + \sin\sigma\,e_a)
                  + \sin\tfrac\vartheta2\,(\cos\delta\,e_b + \sin\delta\,e_a \times e_b)

        if a = c. Three different axes become this case by a quarter turn about b. ``q``: (..., 4) of length one.
        """
        a, b, k = self._axes
        w, x_a, x_b, x_k, e = q[..., 0], q[..., 1 + a], q[..., 1 + b], q[..., 1 + k], self._parity
        if self._proper:
            plus, minus = np.hypot(w, x_a), np.hypot(x_b, x_k)
            sigma, delta = np.arctan2(x_a, w), np.arctan2(e * x_k, x_b)
            theta = 2.0 * np.arctan2(minus, plus)
        else:
            plus, minus = np.hypot(w + e * x_b, x_a + x_k), np.hypot(w - e * x_b, x_a - x_k)
            sigma, delta = np.arctan2(x_a + x_k, w + e * x_b), np.arctan2(x_a - x_k, w - e * x_b)
            theta = 2.0 * e * np.arctan2(4.0 * (e * w * x_b + x_a * x_k), (plus + minus) ** 2)
        return theta, np.where(plus < LOCKED, np.nan, sigma), np.where(minus < LOCKED, np.nan, delta)

    def other_angles(self, angles: np.ndarray) -> np.ndarray:
        """The other angles of the same rotations: the middle one mirrored, the outer ones half a turn on. (..., 3)"""
        return np.array([np.pi, 0.0 if self._proper else np.pi, np.pi]) + np.array([1.0, -1.0, 1.0]) * angles

    def condition(self, c) -> np.ndarray:
        theta = numeric("condition", c)[..., 1]
        return np.abs(np.sin(theta) if self._proper else np.cos(theta))

    @property
    def center(self) -> tuple[float, ...]:
        return (0.0, 0.5 * np.pi if self._proper else 0.0, 0.0)

    @property
    def _proper(self) -> bool:
        return self.sequence[0] == self.sequence[2]

    @property
    def _axes(self) -> tuple[int, int, int]:
        """Indices of the first axis, the second and the remaining one (which is the third, if it differs)."""
        a, b = "xyz".index(self.sequence[0]), "xyz".index(self.sequence[1])
        return a, b, 3 - a - b

    @property
    def _parity(self) -> float:
        """The number e with e_a × e_b = e · e_k."""
        a, b, _ = self._axes
        return 1.0 if (b - a) % 3 == 1 else -1.0

    def _factors(self, c):
        _, theta, psi = self.coordinates(c)
        return self._parity, math.sin(theta), math.cos(theta), math.sin(psi), math.cos(psi)


def _wrap(angle: float) -> float:
    """The angle moved by whole turns into [−π, π]."""
    return float(np.remainder(angle + np.pi, 2.0 * np.pi) - np.pi) if abs(angle) > np.pi else float(angle)
