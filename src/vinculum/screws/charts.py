"""The rotation charts, conversion between them, and the vectors of Gibbs and Rodrigues."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.errors import StartError, did_you_mean, shorten
from vinculum.scalars import Scalar, math, vector
from vinculum.screws.chart import Chart
from vinculum.screws.entries import numeric
from vinculum.screws.euler import SEQUENCES, Euler
from vinculum.screws.quaternions import conjugate, quaternion_product, unit_quaternion
from vinculum.screws.rotations import skew
from vinculum.tolerances.round_off import FEW_ROUND_OFFS

__all__ = [
    "SEQUENCES",
    "Chart",
    "Euler",
    "Fedorov",
    "Quaternion",
    "chart",
    "conjugate",
    "convert",
    "gibbs_vector",
    "quaternion_product",
    "rodrigues_vector",
    "unit_quaternion",
]


@final
@dataclass(frozen=True)
class Quaternion(Chart):
    r"""Euler–Rodrigues parameters, a quaternion of length one; nowhere singular.

    .. math:: \Lambda = \big(\cos\tfrac\theta2,\ \sin\tfrac\theta2\,n\big)

    `matrix`, `D` and `D_inverse` hold for length one, which :math:`\dot\Lambda = D^{-1}\omega` keeps.
    Cheremensky, On Concept of Mechanical System, definition 5, eqs. (32)–(34).
    """

    size = 4
    labels = ("w", "x", "y", "z")
    identity = (1.0, 0.0, 0.0, 0.0)

    @property
    def name(self) -> str:
        return "quaternion"

    @property
    def center(self) -> tuple[float, ...]:
        return self.identity

    def matrix(self, c) -> np.ndarray:
        w, x, y, z = self.coordinates(c)
        ww, xx, yy, zz = w * w, x * x, y * y, z * z  # eq. (33)
        return vector([
            [ww + xx - yy - zz, 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
            [2.0 * (x * y + w * z), ww + yy - zz - xx, 2.0 * (y * z - w * x)],
            [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), ww + zz - xx - yy],
        ])  # fmt: skip

    def D(self, c) -> np.ndarray:
        w, x, y, z = self.coordinates(c)
        return 2.0 * vector([[-x, w, z, -y], [-y, -z, w, x], [-z, y, -x, w]])

    def D_inverse(self, c) -> np.ndarray:
        w, x, y, z = self.coordinates(c)
        return 0.5 * vector([[-x, -y, -z], [w, -z, y], [z, w, -x], [-y, x, w]])  # eq. (34)

    def compose(self, a, b) -> np.ndarray:
        return quaternion_product(self.coordinates(a), self.coordinates(b))

    def quaternion(self, c) -> np.ndarray:
        return self.coordinates(c)

    def from_quaternion(self, q) -> np.ndarray:
        return unit_quaternion(q)

    def condition(self, c) -> np.ndarray:
        return np.linalg.norm(numeric("condition", c), axis=-1)


@final
@dataclass(frozen=True)
class Fedorov(Chart):
    r"""Fedorov's vector-parameter :math:`f = \tan\frac\theta2\,n`; no value at the angle π.

    .. math:: C = \frac{(1 - |f|^2) I + 2 f f^T + 2 f^\times}{1 + |f|^2}, \qquad
              D = \frac{2}{1 + |f|^2}(I - f^\times), \qquad D^{-1} = \tfrac12 (I + f^\times + f f^T)

    Cheremensky, On Concept of Mechanical System, definition 3 and eq. (31) with its inverse restored.
    """

    size = 3
    labels = ("f1", "f2", "f3")
    identity = (0.0, 0.0, 0.0)

    @property
    def name(self) -> str:
        return "fedorov"

    @property
    def center(self) -> tuple[float, ...]:
        return self.identity

    def matrix(self, c) -> np.ndarray:
        f = self.coordinates(c)
        square = f @ f
        return ((1.0 - square) * np.eye(3) + 2.0 * np.outer(f, f) + 2.0 * skew(f)) / (1.0 + square)

    def D(self, c) -> np.ndarray:
        f = self.coordinates(c)
        return 2.0 / (1.0 + f @ f) * (np.eye(3) - skew(f))

    def D_inverse(self, c) -> np.ndarray:
        f = self.coordinates(c)
        return 0.5 * (np.eye(3) + skew(f) + np.outer(f, f))

    def compose(self, a, b) -> np.ndarray:
        r"""Vector-parameter of the product.

        .. math:: f = \frac{a + b + a \times b}{1 - a \cdot b}
        """
        a, b = self.coordinates(a), self.coordinates(b)
        scalar = 1.0 - a @ b
        _refuse_half_turn(scalar, (1.0 + a @ a) * (1.0 + b @ b))
        return (a + b + math.cross(a, b)) / scalar

    def quaternion(self, c) -> np.ndarray:
        f = self.coordinates(c)
        return np.concatenate([[1.0], f]) / math.sqrt(1.0 + f @ f)

    def from_quaternion(self, q) -> np.ndarray:
        q = vector(q)
        _refuse_half_turn(q[0], q @ q)
        return q[1:] / q[0]

    def condition(self, c) -> np.ndarray:
        return 1.0 / (1.0 + np.sum(numeric("condition", c) ** 2, axis=-1))


def chart(which) -> Chart:
    """The chart of a name ("quaternion", "fedorov", or an Euler sequence such as "xyz"), or the chart itself."""
    if isinstance(which, Chart):
        return which
    if not isinstance(which, str):
        raise StartError(f"chart {shorten(which)} of the rotations is not known: use a name, as 'quaternion' or 'xyz'")
    if which == "quaternion":
        return Quaternion()
    if which == "fedorov":
        return Fedorov()
    if which in SEQUENCES:
        return Euler(which)
    names = ("quaternion", "fedorov", *SEQUENCES)
    raise StartError(
        f"chart {which!r} of the rotations is not known{did_you_mean(which, names)}: use one of {', '.join(names)}"
    )


def convert(c, source, target) -> np.ndarray:
    """Coordinates in the chart ``target`` of the rotation with coordinates ``c`` in the chart ``source``.

    Goes through the quaternion, so nothing is lost near the angle π. Traces unless the target is Euler angles.
    """
    return chart(target).from_quaternion(chart(source).quaternion(c))


def gibbs_vector(f_pk) -> np.ndarray:
    r"""Components in the base of frame 0 of Gibbs' vector of the rotation from p to k.

    .. math:: \vec g_{p,k} = \sum_i f_i\, \vec e_{0,i}

    ``f_pk``: (3,) Fedorov vector-parameter; result (3,). Cheremensky, On Concept of Mechanical System, definition 4.
    """
    return Fedorov().coordinates(f_pk)


def rodrigues_vector(f_pk, R_0p) -> np.ndarray:
    r"""Components in the base of frame 0 of Rodrigues' vector of the rotation from p to k.

    .. math:: \vec r_{p,k} = \sum_i f_i\, \vec e_{p,i} = \sum_i f_i\, \vec e_{k,i}, \qquad r^0 = C_{0,p} f

    ``f_pk``: (3,) Fedorov vector-parameter; ``R_0p``: (3, 3); result (3,). It lies along the axis of the rotation, as
    Gibbs' vector in general does not. Cheremensky, On Concept of Mechanical System, definition 4.
    """
    return vector(R_0p) @ Fedorov().coordinates(f_pk)


def _refuse_half_turn(scalar, square) -> None:
    """Refuse a quaternion of scalar part ``scalar`` and squared length ``square`` whose angle is π to round-off."""
    if isinstance(scalar, Scalar) or isinstance(square, Scalar):
        return
    if float(scalar) ** 2 <= FEW_ROUND_OFFS**2 * float(square):
        raise StartError(
            "chart 'fedorov': Fedorov's vector-parameter has no value at a half turn (1 + tr C = 0): turn "
            "by less than π, or use the chart 'quaternion'"
        )
