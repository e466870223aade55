"""Test functions and test vectors on time-space: smooth, and zero outside a box."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.errors import ModelError, shorten
from vinculum.screws.entries import numeric
from vinculum.tolerances.functions import BUMP_EDGE


@final
@dataclass(frozen=True, eq=False)
class Bump:
    r"""A test function φ(ξ) = (1 + κ · (ξ − c)) Π B((ξ_α − c_α)/w_α) of points ξ = (t, x), (n, 1 + d).

    .. math:: B(s) = e^{1 - 1/(1 - s^2)} \text{ for } |s| < 1

    ``center`` c, ``widths`` w and ``tilt`` κ: (1 + d,); an infinite width makes it constant in that direction. Infinitely smooth. Moreau,
    An expression of classical dynamics, section 1.
    """

    center: np.ndarray
    widths: np.ndarray
    tilt: np.ndarray

    @classmethod
    def at(cls, center, widths, tilt=None) -> "Bump":
        """A bump around a point."""
        center, widths = numeric("bump: center", center), numeric("bump: widths", widths)
        tilt = np.zeros_like(center) if tilt is None else numeric("bump: tilt", tilt)
        if center.ndim != 1 or widths.shape != center.shape or tilt.shape != center.shape or not np.all(widths > 0.0):
            raise ModelError(
                f"bump: center {center.shape}, widths {widths.shape} and tilt {tilt.shape} must have 1 + d numbers each, widths > 0"
            )
        return cls(center, widths, tilt)

    @classmethod
    def random(cls, rng, center, widths) -> "Bump":
        """A bump around a point near ``center`` (1 + d,) with random widths between half of ``widths`` and ``widths``,
        and a random tilt."""
        center, widths = numeric("bump: center", center), numeric("bump: widths", widths)
        if center.ndim != 1 or widths.shape != center.shape or not isinstance(rng, np.random.Generator):
            raise ModelError(
                f"bump: center {center.shape} and widths {widths.shape} must have 1 + d numbers each, and rng is {shorten(rng)}: give "
                "numpy.random.default_rng(seed)"
            )
        own = widths * rng.uniform(0.5, 1.0, len(widths))
        finite = np.where(np.isfinite(own), own, 0.0)
        near = center + 0.3 * finite * rng.uniform(-1.0, 1.0, len(own))
        tilt = 0.3 * rng.normal(size=len(own)) / np.where(finite > 0.0, finite, np.inf)
        return cls.at(near, own, tilt)

    @property
    def support(self) -> tuple[float, float]:
        """The interval of time in which it is not zero."""
        return float(self.center[0] - self.widths[0]), float(self.center[0] + self.widths[0])

    def __call__(self, xi: np.ndarray) -> np.ndarray:
        """φ (n,)."""
        B, _ = self._factors(xi)
        return self._tilt_factor(xi) * B.prod(axis=1)

    def gradient(self, xi: np.ndarray) -> np.ndarray:
        """∇φ (n, 1 + d)."""
        B, slopes = self._factors(xi)
        tilted, size = self._tilt_factor(xi), B.shape[1]
        others = np.stack([np.delete(B, k, axis=1).prod(axis=1) for k in range(size)], axis=1)
        return tilted[:, None] * slopes * others + B.prod(axis=1)[:, None] * self.tilt

    def _tilt_factor(self, xi: np.ndarray) -> np.ndarray:
        return 1.0 + (np.asarray(xi) - self.center) @ self.tilt

    def _factors(self, xi: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        xi = numeric("bump: places", xi)
        if xi.ndim != 2 or xi.shape[1] != len(self.center):
            raise ModelError(f"bump: points of shape {xi.shape} must be (n, {len(self.center)}) as its center")
        s = (xi - self.center) / self.widths
        room = 1.0 - s * s
        inside = room > BUMP_EDGE
        safe = np.where(inside, room, 1.0)
        B = np.where(inside, np.exp(1.0 - 1.0 / safe), 0.0)
        return B, -2.0 * s / safe**2 * B / self.widths


@final
@dataclass(frozen=True, eq=False)
class VectorBump:
    """A test field η on time-space: one bump times ``components`` (1 + d,) that vary linearly from its center."""

    bump: Bump
    components: np.ndarray
    slopes_of_components: np.ndarray

    @classmethod
    def random(cls, rng, center, widths, isochronous: bool = True) -> "VectorBump":
        """Random components; the one along time is zero if the field is isochronous."""
        bump = Bump.random(rng, center, widths)
        size = len(bump.center)
        a, D = rng.normal(size=size), rng.normal(size=(size, size))
        if isochronous:
            a[0], D[0] = 0.0, 0.0
        return cls(bump, a, D)

    @property
    def support(self) -> tuple[float, float]:
        return self.bump.support

    def __call__(self, xi: np.ndarray) -> np.ndarray:
        """η (n, 1 + d)."""
        return self.bump(xi)[:, None] * self._form(xi)

    def derivatives(self, xi: np.ndarray) -> np.ndarray:
        """η^k_,i (n, 1 + d, 1 + d), k first."""
        turned = self.bump(xi)[:, None, None] * self.slopes_of_components
        return turned + np.einsum("nk,ni->nki", self._form(xi), self.bump.gradient(xi))

    def _form(self, xi: np.ndarray) -> np.ndarray:
        return self.components + (np.asarray(xi) - self.bump.center) @ self.slopes_of_components.T
