"""`KineticMeasure`: matter in time-space as a measure of symmetric tensors, u ⊗ u per unit of presence."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.errors import ModelError
from vinculum.measures.kinetic_parts import KineticPart, Streams, Trajectory
from vinculum.measures.windows import Window
from vinculum.screws.entries import is_number, numeric, shorten
from vinculum.tolerances.functions import POSITIVE, STREAMS_APART


@final
@dataclass(frozen=True, eq=False)
class KineticMeasure:
    r"""C = Σ u ⊗ u θ on time-space: presence θ [kg s] and velocities u = (1, v) of all matter in a window.

    .. math:: \langle C, \kappa\rangle = \int \kappa_{\alpha\beta}\,u^\alpha u^\beta\,d\theta

    Made by `streams`, `trajectory`, `tensors` and ``+``; `motion.body(…).measures.kinetic` is that of a body. Points
    are ξ = (t, x), with one dimension more than space. Mixtures are sums, whose densities are positive semidefinite
    and of higher rank. Moreau, An expression of classical dynamics, sections 2 to 5.
    """

    parts: tuple[KineticPart, ...]

    @classmethod
    def streams(cls, points, velocities, weights) -> "KineticMeasure":
        """Matter at quadrature points ξ (n, 1 + d) with velocities (n, d), or (s, n, d) of s streams at the same
        points.

        ``weights``: (n,) or (s, n), mass times duration, or density times volume times duration [kg s]. The density at each
        point must be positive semidefinite.
        """
        points = _rows("points", points)
        velocities, weights = (
            numeric("kinetic measure: velocities", velocities),
            numeric("kinetic measure: weights", weights),
        )
        velocities = velocities[None] if velocities.ndim == 2 else velocities
        weights = weights[None] if weights.ndim == 1 else weights
        fits = velocities.shape[1:] == (len(points), points.shape[1] - 1) and weights.shape == velocities.shape[:2]
        if not fits:
            raise ModelError(
                f"kinetic measure: points {points.shape}, velocities {velocities.shape} and weights {weights.shape} do not fit: give n "
                "points of 1 + d numbers (the instant first), n velocities of d numbers and n weights, or one such row a stream"
            )
        u = np.concatenate([np.ones((*velocities.shape[:2], 1)), velocities], axis=2)
        return cls.tensors(points, np.einsum("sn,sna,snb->nab", weights, u, u))

    @classmethod
    def tensors(cls, points, tensors) -> "KineticMeasure":
        """Dirac measures at points (n, 1 + d) with symmetric, positive semidefinite tensors (n, 1 + d, 1 + d)."""
        points, tensors = _rows("points", points), numeric("kinetic measure: tensors", tensors)
        if tensors.shape != (len(points), points.shape[1], points.shape[1]):
            raise ModelError(
                f"kinetic measure: tensors have shape {tensors.shape} for points of shape {points.shape}: give one symmetric matrix "
                "of 1 + d rows a point"
            )
        size = np.abs(tensors).max(axis=(1, 2), initial=0.0)
        skewed = np.abs(tensors - np.swapaxes(tensors, 1, 2)).max(axis=(1, 2), initial=0.0)
        least = np.linalg.eigvalsh(tensors)[:, 0]
        bad = np.flatnonzero((least < -POSITIVE * size) | (skewed > POSITIVE * size))
        if len(bad):
            k = int(bad[0])
            raise ModelError(
                f"kinetic measure: the tensor at point {k}, {points[k].tolist()}, has the eigenvalue {least[k]:.6g} or is not symmetric: "
                "a kinetic tensor is a sum of squares and never negative; check the signs of the weights"
            )
        return cls((Streams(points, tensors),))

    @classmethod
    def trajectory(
        cls, path: Callable | Sequence[Callable], times: Sequence[float] | np.ndarray, mass: float = 1.0
    ) -> "KineticMeasure":
        """A mass point [kg] on a path: ``path(t)`` returns positions (T, d) and velocities (T, d) at instants (T,).

        ``times``: the instants at which a piece of the path ends and the next begins, including the first and last.
        Velocities may jump there; the path is evaluated on both sides. The ends must be finite.
        """
        edges = numeric("kinetic measure: times", times)
        if edges.ndim != 1 or len(edges) < 2 or not np.all(np.diff(edges) > 0.0):
            raise ModelError(
                f"kinetic measure: times {np.shape(times)} must be at least two increasing finite instants"
            )
        if not is_number(mass) or mass <= 0.0:
            raise ModelError(f"kinetic measure: mass {shorten(mass)} kg must be positive")
        return cls((Trajectory.of(path, edges, float(mass)),))

    def __add__(self, other) -> "KineticMeasure":
        return KineticMeasure(self.parts + other.parts) if isinstance(other, KineticMeasure) else NotImplemented

    def __mul__(self, share: float) -> "KineticMeasure":
        if not is_number(share) or share < 0.0:
            raise ModelError(
                f"kinetic measure: a share of {shorten(share)} must be a number that is zero or more: what is present cannot be less "
                "than nothing"
            )
        return KineticMeasure(tuple(part.scale(float(share)) for part in self.parts))

    __rmul__ = __mul__

    def restrict(self, window: Window) -> "KineticMeasure":
        """χ C: the restriction to a window. Crossings of its faces are located on trajectories. Moreau, section 5."""
        if not isinstance(window, Window):
            raise ModelError(
                f"kinetic measure: {shorten(window)} is not a window; give vc.measures.Window.since(t) or the like"
            )
        return KineticMeasure(tuple(part.restrict(window) for part in self.parts))

    def push_forward(self, mapped: Callable) -> "KineticMeasure":
        r"""The measure pushed forward by a map: ``mapped(ξ)`` returns images (n, 1 + d) and Jacobians J (n, 1 + d, 1 +
        d).

        .. math:: C' = J\,C\,J^T \text{ at } \psi(\xi)
        """
        return KineticMeasure(tuple(part.push_forward(mapped) for part in self.parts))

    def pair(self, kappa: Callable, support: tuple[float, float] | None = None) -> float:
        """⟨C, κ⟩ with a test tensor ``kappa(ξ)`` (n, 1 + d, 1 + d). ``support``: the interval of time outside which it
        vanishes."""
        return float(sum(np.einsum("nab,nab->", T, kappa(x)) for x, T in self._nodes(support)))

    def divergence(self, test) -> np.ndarray:
        r"""⟨div C, φ⟩ = −⟨C, ∇φ⟩, (1 + d,), against a `Bump`: mass input first, then force. Moreau, (3.6)."""
        total: Any = sum(np.einsum("nab,nb->a", T, test.gradient(x)) for x, T in self._nodes(test.support))
        return -total

    def mass_input(self, test) -> float:
        """⟨div(uθ), φ⟩: φ at entries minus φ at exits, times the mass. Moreau, Def. 3.4 and Prop. 6.3."""
        return float(self.divergence(test)[0])

    def equilibrium(self, field, metric: Callable) -> float:
        r"""⟨equ C, η⟩ = −⟨C, def η⟩ for the metric g, against a `VectorBump`. Moreau, (7.5).

        .. math:: (\operatorname{def}\eta)_{ij} = \tfrac12 (g_{ij,k}\eta^k + g_{kj}\eta^k{}_{,i} + g_{ik}\eta^k{}_{,j})

        ``metric(ξ)`` returns g (n, 1 + d, 1 + d) and its derivatives g_ij,k (n, 1 + d, 1 + d, 1 + d), k last; on
        time-space g_00 = 1, g_0i = 0.
        """
        total = 0.0
        for x, T in self._nodes(field.support):
            g, slopes = metric(x)
            eta, D = field(x), field.derivatives(x)
            lowered = np.einsum("nik,nkj->nij", g, D)
            deformed = 0.5 * np.einsum("nijk,nk->nij", slopes, eta) + 0.5 * (lowered + np.swapaxes(lowered, 1, 2))
            total -= float(np.einsum("nij,nij->", T, deformed))
        return total

    def boundary_atoms(self) -> "BoundaryAtoms":
        """Point measures at which trajectories enter and leave: the initial and final data of section 5."""
        found = [part.ends() for part in self.parts]
        points, vectors = (np.concatenate([part[i] for part in found]) for i in (0, 1))
        return BoundaryAtoms(points, vectors)

    def total(self) -> np.ndarray:
        """∫ dC (1 + d, 1 + d): total presence, momentum and flux of momentum."""
        return sum(T.sum(axis=0) for _, T in self._nodes(None))  # type: ignore[return-value]

    def ranks(self, tolerance: float = STREAMS_APART) -> np.ndarray:
        """Rank of the density at every node: 1 for one stream, more for mixtures."""
        found = [np.linalg.eigvalsh(T) for _, T in self._nodes(None)]
        return np.concatenate([(e > tolerance * np.maximum(e[:, -1:], 0.0)).sum(axis=1) for e in found])

    @property
    def is_positive(self) -> bool:
        """Whether every density is positive semidefinite, up to round-off."""
        found = [np.linalg.eigvalsh(T) for _, T in self._nodes(None)]
        return all(bool(np.all(e[:, 0] >= -POSITIVE * np.abs(e[:, -1]))) for e in found)

    def _nodes(self, support: tuple[float, float] | None) -> list[tuple[np.ndarray, np.ndarray]]:
        return [part.nodes(support) for part in self.parts]


@final
@dataclass(frozen=True, eq=False)
class BoundaryAtoms:
    """Dirac measures ±m u at the ``points`` ξ (K, 1 + d) where matter enters or leaves a window; ``vectors`` (K, 1 + d).

    If an impact occurs on a closed face, the velocity is the one before it on entering and the one after it on
    leaving; on an open face the reverse. The first component is the mass, the others are the momentum: position, mass
    and velocity are the initial data.
    """

    points: np.ndarray
    vectors: np.ndarray

    def __post_init__(self):
        for name in ("points", "vectors"):
            object.__setattr__(self, name, _rows(name, getattr(self, name)))
        if self.points.shape != self.vectors.shape:
            raise ModelError(
                f"boundary atoms: points {self.points.shape} and vectors {self.vectors.shape} must be (K, 1 + d) both"
            )

    def pair(self, test) -> np.ndarray:
        """Σ ± m u φ(ξ), (1 + d,)."""
        return np.einsum("ka,k->a", self.vectors, test(self.points))


def _rows(what: str, given) -> np.ndarray:
    rows = numeric(f"kinetic measure: {what}", given)
    if rows.ndim != 2 or rows.shape[1] < 2 or not np.all(np.isfinite(rows)):
        raise ModelError(
            f"kinetic measure: {what} of shape {rows.shape} must be n rows of an instant and a place, all finite"
        )
    return rows
