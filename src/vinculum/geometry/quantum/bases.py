"""Functions of one or two coordinates in which states are expanded: Fourier, Legendre, Hermite, and spherical harmonics."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from vinculum.geometry.quantum.ranges import FREE, OSCILLATOR, PERIODIC, POLES, WALLS, Range


class Basis(ABC):
    """Functions of the coordinates number ``places`` of a chart, with a sum for their integrals."""

    places: tuple[int, ...]

    @property
    @abstractmethod
    def size(self) -> int:
        """The number of functions."""

    @property
    @abstractmethod
    def degrees(self) -> np.ndarray:
        """How fast each function varies (size,): its harmonic, its polynomial degree, or its number of quanta."""

    @abstractmethod
    def nodes(self) -> tuple[np.ndarray, np.ndarray]:
        """Coordinates (Q, k) and weights (Q,) of an integral over the coordinates."""

    @abstractmethod
    def values(self, x: np.ndarray) -> list[np.ndarray]:
        """The functions (Q, size) at coordinates (Q, k), then their derivatives by each of these."""


@final
@dataclass(frozen=True)
class FourierBasis(Basis):
    """1, cos kx, sin kx up to k = ``order``, normalized on the range."""

    places: tuple[int, ...]
    range: Range
    order: int

    @property
    def size(self) -> int:
        return 2 * self.order + 1

    @property
    def degrees(self) -> np.ndarray:
        k = np.arange(1, self.order + 1)
        return np.concatenate([[0], k, k])

    def nodes(self):
        count = 2 * self.size + 14
        x = self.range.low + self.range.length * np.arange(count) / count
        return x[:, None], np.full(count, self.range.length / count)

    def values(self, x):
        k = np.arange(1, self.order + 1) * (2.0 * np.pi / self.range.length)
        angle, one = (x - self.range.low) * k, np.sqrt(1.0 / self.range.length)
        c, s, two = np.cos(angle), np.sin(angle), np.sqrt(2.0) * one
        constant = np.full((len(x), 1), one)
        return [np.hstack([constant, two * c, two * s]), np.hstack([0.0 * constant, -two * k * s, two * k * c])]


@dataclass(frozen=True)
class PolynomialBasis(Basis):
    """Functions number 0 to ``order`` − 1 of one coordinate, integrated over its range by Gauss's rule."""

    more_nodes: ClassVar[int]
    """Nodes beyond the two for each function: these see what metric and potential add to a product of two functions."""

    places: tuple[int, ...]
    range: Range
    order: int

    @property
    def size(self) -> int:
        return self.order

    @property
    def degrees(self) -> np.ndarray:
        return np.arange(self.size)

    def nodes(self):
        x, w = np.polynomial.legendre.leggauss(2 * self.size + self.more_nodes)
        half = 0.5 * self.range.length
        return (self.range.low + half * (x + 1.0))[:, None], half * w


@final
@dataclass(frozen=True)
class LegendreBasis(PolynomialBasis):
    """Legendre polynomials P_k on the range; with walls P_k − P_{k+2}, which vanish at both ends."""

    more_nodes = 12

    def values(self, x):
        half = 0.5 * self.range.length
        z = (x[:, 0] - self.range.low) / half - 1.0
        count = self.size + 2
        P, D = np.empty((len(z), count + 1)), np.zeros((len(z), count + 1))
        P[:, 0], P[:, 1], D[:, 1] = 1.0, z, 1.0
        for k in range(1, count):
            P[:, k + 1] = ((2 * k + 1) * z * P[:, k] - k * P[:, k - 1]) / (k + 1)
            D[:, k + 1] = D[:, k - 1] + (2 * k + 1) * P[:, k]
        k = np.arange(self.size)
        if self.range.kind == WALLS:
            scale = 1.0 / np.sqrt((4 * k + 6) * half)
            shift = slice(2, self.size + 2)
            return [(P[:, : self.size] - P[:, shift]) * scale, (D[:, : self.size] - D[:, shift]) * (scale / half)]
        scale = np.sqrt((2 * k + 1) / (2.0 * half))
        return [P[:, : self.size] * scale, D[:, : self.size] * (scale / half)]


@final
@dataclass(frozen=True)
class HermiteBasis(PolynomialBasis):
    """States of an oscillator of a width, integrated over the range, at whose ends they are negligible."""

    more_nodes = 60

    def values(self, x):
        a = self.range.width
        z = x[:, 0] / a
        psi = np.zeros((len(z), self.size + 2))
        psi[:, 0] = np.exp(-0.5 * z * z) / np.sqrt(a * np.sqrt(np.pi))
        psi[:, 1] = np.sqrt(2.0) * z * psi[:, 0]
        for k in range(1, self.size + 1):
            psi[:, k + 1] = (np.sqrt(2.0) * z * psi[:, k] - np.sqrt(k) * psi[:, k - 1]) / np.sqrt(k + 1)
        k = np.arange(self.size)
        lower = np.hstack([np.zeros((len(z), 1)), psi[:, : self.size - 1]])
        slopes = (np.sqrt(k / 2.0) * lower - np.sqrt((k + 1) / 2.0) * psi[:, 1 : self.size + 1]) / a
        return [psi[:, : self.size], slopes]


@final
@dataclass(frozen=True)
class SphericalBasis(Basis):
    """Real spherical harmonics up to degree ``order``, of a polar coordinate and a periodic one that are mapped to ϑ and φ linearly."""

    places: tuple[int, ...]
    polar: Range
    around: Range
    order: int

    @property
    def size(self) -> int:
        return (self.order + 1) ** 2

    @property
    def degrees(self) -> np.ndarray:
        every = range(self.order + 1)
        return np.concatenate([np.repeat(np.arange(m, self.order + 1), 1 + (m > 0)) for m in every])

    def nodes(self):
        z, w = np.polynomial.legendre.leggauss(2 * self.order + 8)
        theta, count = np.arccos(z), 4 * self.order + 8
        phi = 2.0 * np.pi * np.arange(count) / count
        grid = np.stack([x.ravel() for x in np.meshgrid(theta, phi, indexing="ij")], axis=1)
        low = np.array([self.polar.low, self.around.low])
        scale = np.array([self.polar.length / np.pi, self.around.length / (2.0 * np.pi)])
        measure = np.repeat(w / np.sin(theta), count) * (2.0 * np.pi / count)
        return low + grid * scale, measure * scale.prod()

    def values(self, x):
        from scipy.special import sph_legendre_p_all

        per_theta, per_phi = np.pi / self.polar.length, 2.0 * np.pi / self.around.length
        theta, phi = (x[:, 0] - self.polar.low) * per_theta, (x[:, 1] - self.around.low) * per_phi
        once, back = np.unique(theta, return_inverse=True)
        P = sph_legendre_p_all(self.order, self.order, once, diff_n=1)[:, :, : self.order + 1, :][..., back]
        columns: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
        for m in range(self.order + 1):
            c, s = np.cos(m * phi), np.sin(m * phi)
            turns = (
                [(c, -m * s)]
                if m == 0
                else [(np.sqrt(2.0) * c, -m * np.sqrt(2.0) * s), (np.sqrt(2.0) * s, m * np.sqrt(2.0) * c)]
            )
            for l in range(m, self.order + 1):
                columns += [(P[0, l, m] * f, P[1, l, m] * f * per_theta, P[0, l, m] * g * per_phi) for f, g in turns]
        return [np.stack(parts, axis=1) for parts in zip(*columns, strict=True)]


FIRST = {PERIODIC: 6, WALLS: 12, FREE: 12, OSCILLATOR: 8, POLES: 6}
"""Functions of the first expansion, by the kind of range: harmonics, polynomials or degrees."""


def first_sizes(ranges: tuple[Range, ...], count: int) -> tuple[int, ...]:
    """Sizes of an expansion in which ``count`` states may be seen, one for each coordinate."""
    kinds = [one.kind for one in ranges]
    if POLES in kinds:
        return (max(FIRST[POLES], int(np.sqrt(count)) + 3),) * len(ranges)
    extra = int(np.ceil(count ** (1.0 / max(1, sum(kind != OSCILLATOR for kind in kinds)))))
    return tuple(FIRST[kind] if kind == OSCILLATOR else max(FIRST[kind], extra + 3) for kind in kinds)


def bases_of(ranges: tuple[Range, ...], sizes: tuple[int, ...]) -> list[Basis]:
    """One basis for each coordinate; one for both where there are poles."""
    kinds, found = [one.kind for one in ranges], []
    if POLES in kinds:
        i, j = kinds.index(POLES), kinds.index(PERIODIC)
        found.append(SphericalBasis((i, j), ranges[i], ranges[j], sizes[i]))
    for k, one in enumerate(ranges):
        if POLES in kinds and one.kind in (POLES, PERIODIC):
            continue
        if one.kind == PERIODIC:
            found.append(FourierBasis((k,), one, sizes[k]))
        elif one.kind == OSCILLATOR:
            found.append(HermiteBasis((k,), one, sizes[k]))
        else:
            found.append(LegendreBasis((k,), one, sizes[k]))
    return found
