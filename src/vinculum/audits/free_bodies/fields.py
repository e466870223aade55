"""Virtual twists of free bodies in contact: a bump in time that begins and ends with half steps, times forms of the
position.
"""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.audits.free_bodies.windows import FreeBodiesWindow


@final
@dataclass(frozen=True, eq=False)
class TwistField:
    r"""w = B(s) (a + K (x − x₀)/ℓ), s = (t − c)/d, of b bodies, x their own mass centers; six components (ζ, ϑ) in world axes each.

    .. math:: B(s) = (1 - s^2)^4 \text{ for } |s| < 1

    ``a``: (b, 6), ``K``: (b, 6, 3), ``x0``: (b, 3) [m], ``length`` ℓ [m]; ``tilt`` κ (3,): mass is paired with
    B (1 + κ · (x − x₀)/ℓ). Moreau, An expression of classical dynamics, section 8.
    """

    center: float
    width: float
    a: np.ndarray
    K: np.ndarray
    x0: np.ndarray
    length: float
    tilt: np.ndarray

    def bump(self, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """B and its rate at instants."""
        s = (t - self.center) / self.width
        room = np.maximum(1.0 - s * s, 0.0)
        return room**4, -8.0 * s * room**3 / self.width

    def twist(self, t: np.ndarray, x: np.ndarray) -> np.ndarray:
        """w (…, b, 6) at instants (…,) for mass centers (…, b, 3)."""
        return self.bump(t)[0][..., None, None] * self._form(x)

    def twist_rate(self, t: np.ndarray, x: np.ndarray, v: np.ndarray) -> np.ndarray:
        """dw/dt (…, b, 6) along a path with velocities v (…, b, 3)."""
        B, B_dot = self.bump(t)
        carried = np.einsum("bcj,...bj->...bc", self.K, v) / self.length
        return B_dot[..., None, None] * self._form(x) + B[..., None, None] * carried

    def mass(self, t: np.ndarray, x: np.ndarray) -> np.ndarray:
        """φ (…, b)."""
        return self.bump(t)[0][..., None] * (1.0 + (x - self.x0) @ self.tilt / self.length)

    def mass_rate(self, t: np.ndarray, x: np.ndarray, v: np.ndarray) -> np.ndarray:
        """dφ/dt (…, b) along a path."""
        B, B_dot = self.bump(t)
        return (
            B_dot[..., None] * (1.0 + (x - self.x0) @ self.tilt / self.length)
            + B[..., None] * (v @ self.tilt) / self.length
        )

    def _form(self, x: np.ndarray) -> np.ndarray:
        return self.a + np.einsum("bcj,...bj->...bc", self.K, x - self.x0) / self.length


def random_field(
    rng, seen: FreeBodiesWindow, scales: np.ndarray, length: float, center: float, width: float
) -> TwistField:
    """Random components on the bodies of a window, of size ``scales`` (b, 6), one in the kinetic metric."""
    a, K = scales * rng.normal(size=scales.shape), scales[..., None] * rng.normal(size=(*scales.shape, 3))
    x0 = seen.x.reshape(-1, len(scales), 3).mean(axis=0)
    return TwistField(center, width, a, K, x0, length, 0.5 * rng.normal(size=3))
