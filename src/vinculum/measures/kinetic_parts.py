"""The parts of a kinetic measure: tensors at points, and points of mass on paths."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from vinculum.errors import ModelError
from vinculum.measures.crossings import Span, spans_inside
from vinculum.measures.windows import Window
from vinculum.screws.entries import from_function
from vinculum.tolerances.samples import ORDER_OF_A_WINDOW, PANELS_OF_A_WINDOW

X, W = np.polynomial.legendre.leggauss(ORDER_OF_A_WINDOW)


class KineticPart(ABC):
    """Matter of one kind."""

    @abstractmethod
    def nodes(self, support: tuple[float, float] | None) -> tuple[np.ndarray, np.ndarray]:
        """Places (n, 1 + d) and tensors (n, 1 + d, 1 + d) that stand for the part in integrals of functions on ``support``."""

    @abstractmethod
    def restrict(self, window: Window) -> "KineticPart":
        """What a window shows."""

    @abstractmethod
    def push_forward(self, mapped: Callable) -> "KineticPart":
        """The part carried along by a map."""

    @abstractmethod
    def scale(self, share: float) -> "KineticPart":
        """The part with another share of its mass."""

    @abstractmethod
    def ends(self) -> tuple[np.ndarray, np.ndarray]:
        """Places (K, 1 + d) and vectors ± m u (K, 1 + d) where matter enters or leaves."""


@final
@dataclass(frozen=True, eq=False)
class Streams(KineticPart):
    """Tensors (n, 1 + d, 1 + d) at points (n, 1 + d)."""

    points: np.ndarray
    tensors: np.ndarray

    def nodes(self, support):
        return self.points, self.tensors

    def restrict(self, window: Window) -> "Streams":
        inside = window.contains(self.points)
        return Streams(self.points[inside], self.tensors[inside])

    def push_forward(self, mapped: Callable) -> "Streams":
        images, J = mapped(self.points)
        return Streams(images, J @ self.tensors @ np.swapaxes(J, 1, 2))

    def scale(self, share: float) -> "Streams":
        return Streams(self.points, share * self.tensors)

    def ends(self):
        size = self.points.shape[1]
        return np.zeros((0, size)), np.zeros((0, size))


@final
@dataclass(frozen=True, eq=False)
class Trajectory(KineticPart):
    """A mass [kg] on consecutive smooth paths between ``edges`` (S + 1,), as far as it is shown: ``spans``.

    ``paths``: of each piece a function of instants (T,) that gives positions and velocities (T, d). ``maps``: what has carried it along.
    """

    paths: tuple[Callable, ...]
    edges: np.ndarray
    mass: float
    spans: tuple[Span, ...]
    maps: tuple[Callable, ...] = ()

    @classmethod
    def of(cls, path: Callable | Sequence[Callable], edges: np.ndarray, mass: float) -> "Trajectory":
        """All of a path: one function, or one for each piece."""
        paths = tuple(path) if isinstance(path, Sequence) else (path,) * (len(edges) - 1)
        if len(paths) != len(edges) - 1 or not all(callable(one) for one in paths):
            raise ModelError(
                f"kinetic measure: {len(paths)} paths for {len(edges)} instants: give one function of the time, or one for each of "
                f"the {len(edges) - 1} pieces"
            )
        return cls(paths, edges, mass, (Span(float(edges[0]), float(edges[-1]), True, True),))

    def at(self, s: np.ndarray, piece: int) -> tuple[np.ndarray, np.ndarray]:
        """Places ξ and velocities u (n, 1 + d) at instants of the path, seen from one of its pieces."""
        x, v = from_function("kinetic measure: a path", self.paths[piece], s, parts=2)
        if x.ndim != 2 or x.shape != v.shape or len(x) != len(s):
            raise ModelError(
                f"kinetic measure: a path gives shapes {x.shape} and {v.shape} for {len(s)} instants; return (T, d) twice"
            )
        xi, u = (np.concatenate([first[:, None], part], axis=1) for first, part in ((s, x), (np.ones(len(s)), v)))
        for mapped in self.maps:
            xi, J = mapped(xi)
            u = np.einsum("nab,nb->na", J, u)
        return xi, u

    def pieces(self, a: float, b: float) -> list[int]:
        """Numbers of the pieces between two instants."""
        first = int(np.searchsorted(self.edges, a, side="right")) - 1
        last = int(np.searchsorted(self.edges, b, side="left"))
        return list(range(max(first, 0), min(last, len(self.paths))))

    def quadrature(self, support) -> list[tuple[int, np.ndarray, np.ndarray]]:
        """For every piece that is shown within a support its number, instants and weights."""
        low, high = support if support is not None and not self.maps else (-np.inf, np.inf)
        width = (
            high - low if np.isfinite(high - low) else 0.25 * (self.edges[-1] - self.edges[0])
        ) / PANELS_OF_A_WINDOW
        found = []
        for span in self.spans:
            for k in self.pieces(max(span.begin, low), min(span.end, high)):
                a, b = max(span.begin, low, self.edges[k]), min(span.end, high, self.edges[k + 1])
                if b > a:
                    cuts = np.linspace(a, b, int(np.ceil((b - a) / width)) + 2)
                    half = 0.5 * np.diff(cuts)[:, None]
                    found.append((k, (cuts[:-1, None] + half * (1.0 + X)).ravel(), (half * W).ravel()))
        return found

    def nodes(self, support):
        xi, T = [], []
        for k, s, weights in self.quadrature(support):
            place, u = self.at(s, k)
            xi.append(place)
            T.append(self.mass * np.einsum("n,na,nb->nab", weights, u, u))
        size = self.at(self.edges[:1], 0)[0].shape[1]
        return np.concatenate([np.zeros((0, size)), *xi]), np.concatenate([np.zeros((0, size, size)), *T])

    def restrict(self, window: Window) -> "Trajectory":
        spans = [new for span in self.spans for new in spans_inside(self, span, window)]
        return replace(self, spans=tuple(spans))

    def push_forward(self, mapped: Callable) -> "Trajectory":
        return replace(self, maps=(*self.maps, mapped))

    def scale(self, share: float) -> "Trajectory":
        return replace(self, mass=share * self.mass)

    def shows(self, instants: np.ndarray) -> np.ndarray:
        """Whether the window shows what happens at instants of the path, (K,)."""
        return np.array([any(span.holds(t) for span in self.spans) for t in instants], dtype=bool)

    def ends(self):
        """+ m u where a span begins, − m u where it ends; at a closed end the velocity from outside. Moreau, section 5."""
        size = self.at(self.edges[:1], 0)[0].shape[1]
        places, vectors = [np.zeros((0, size))], [np.zeros((0, size))]
        for span in self.spans:
            for t, closed, sign in ((span.begin, span.closed_begin, 1.0), (span.end, span.closed_end, -1.0)):
                xi, u = self.at(np.array([t]), self._seen_from(t, (sign > 0.0) != closed))
                places.append(xi)
                vectors.append(sign * self.mass * u)
        return np.concatenate(places), np.concatenate(vectors)

    def _seen_from(self, t: float, later: bool) -> int:
        """The piece before or after an instant."""
        k = int(np.searchsorted(self.edges, t, side="right" if later else "left")) - 1
        return int(np.clip(k, 0, len(self.paths) - 1))
