"""Functions of one or two coordinates in which states are expanded: Fourier, Legendre, Hermite, and spherical harmonics."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import final

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


@final
@dataclass(frozen=True)
class LegendreBasis(Basis):
    """Legendre polynomials P_k on the range, k < ``order``; with walls P_k − P_{k+2}, which vanish at both ends."""

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
        x, w = _gauss_nodes(self.range, 2 * self.size + 12)
        return x[:, None], w

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
class HermiteBasis(Basis):
    """States of an oscillator in one or more coordinates with less than ``order`` quanta in all, integrated over the ranges, at whose
    ends they are negligible."""

    places: tuple[int, ...]
    ranges: tuple[Range, ...]
    order: int

    @property
    def _quanta(self) -> np.ndarray:
        """The quanta (size, k) of each function along each coordinate."""
        every = np.indices((self.order,) * len(self.places)).reshape(len(self.places), -1).T
        return every[every.sum(axis=1) < self.order]

    @property
    def size(self) -> int:
        return len(self._quanta)

    @property
    def degrees(self) -> np.ndarray:
        return self._quanta.sum(axis=1)

    def nodes(self):
        grids = [_gauss_nodes(one, 2 * self.order + 60) for one in self.ranges]  # 60 for exp(−z²) between the ends
        x = np.meshgrid(*(x for x, _ in grids), indexing="ij")
        w = np.meshgrid(*(w for _, w in grids), indexing="ij")
        return np.stack([one.ravel() for one in x], axis=1), np.prod([one.ravel() for one in w], axis=0)

    def values(self, x):
        tables = [_oscillator_states(x[:, k], one.width, self.order) for k, one in enumerate(self.ranges)]
        chosen = [[table[:, n] for table in pair] for pair, n in zip(tables, self._quanta.T, strict=True)]
        found = [np.prod([psi for psi, _ in chosen], axis=0)]
        for k in range(len(tables)):
            found.append(np.prod([pair[int(k == j)] for j, pair in enumerate(chosen)], axis=0))
        return found


def _gauss_nodes(one: Range, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Nodes and weights (count,) of Gauss's rule on a range."""
    x, w = np.polynomial.legendre.leggauss(count)
    half = 0.5 * one.length
    return one.low + half * (x + 1.0), half * w


def _oscillator_states(x: np.ndarray, width: float, count: int) -> tuple[np.ndarray, np.ndarray]:
    """The lowest states (Q, count) of an oscillator of a width, and their derivatives."""
    z = x / width
    psi = np.zeros((len(z), count + 2))
    psi[:, 0] = np.exp(-0.5 * z * z) / np.sqrt(width * np.sqrt(np.pi))
    psi[:, 1] = np.sqrt(2.0) * z * psi[:, 0]
    for k in range(1, count + 1):
        psi[:, k + 1] = (np.sqrt(2.0) * z * psi[:, k] - np.sqrt(k) * psi[:, k - 1]) / np.sqrt(k + 1)
    k = np.arange(count)
    lower = np.hstack([np.zeros((len(z), 1)), psi[:, : count - 1]])
    return psi[:, :count], (np.sqrt(k / 2.0) * lower - np.sqrt((k + 1) / 2.0) * psi[:, 1 : count + 1]) / width


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
    """One basis for each coordinate; one for both where there are poles, and one for all that are oscillators."""
    kinds, found = [one.kind for one in ranges], []
    if POLES in kinds:
        i, j = kinds.index(POLES), kinds.index(PERIODIC)
        found.append(SphericalBasis((i, j), ranges[i], ranges[j], sizes[i]))
    for k, one in enumerate(ranges):
        if one.kind == OSCILLATOR or (POLES in kinds and one.kind in (POLES, PERIODIC)):
            continue
        found.append((FourierBasis if one.kind == PERIODIC else LegendreBasis)((k,), one, sizes[k]))
    across = tuple(k for k, kind in enumerate(kinds) if kind == OSCILLATOR)
    if across:
        found.append(HermiteBasis(across, tuple(ranges[k] for k in across), sizes[across[0]]))
    return found
