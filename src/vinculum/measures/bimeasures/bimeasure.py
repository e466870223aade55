"""Skew bi-measures: screws that two measures exert on each other."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, final

import numpy as np

from vinculum.errors import ModelError, shorten
from vinculum.measures.adaptive.quadrature import error_scale
from vinculum.measures.bimeasures.pairs import integrate_pairs
from vinculum.measures.bimeasures.sides import sides_of
from vinculum.measures.integration import check_accuracy
from vinculum.measures.measure import Measure
from vinculum.scalars import value
from vinculum.screws import Slider
from vinculum.screws.entries import from_function
from vinculum.tolerances.functions import PAIR_ACCURACY, SKEW_LAW
from vinculum.tolerances.samples import PAIRS_LOOKED_AT

WHERE = "bi-measure"


@final
class PairAction(NamedTuple):
    """What two measures exert on each other.

    ``on_first``, ``on_second``: screws as `Slider`, integrated independently of each other; ``error``: estimate of the relative error of
    their components; ``skewness``: the largest component of the sum of both forces, or of both moments, relative to the integral
    of absolute values.
    """

    on_first: Slider
    on_second: Slider
    error: float
    skewness: float


@final
@dataclass(frozen=True, eq=False)
class SkewBimeasure:
    r"""A law of pairs of points, integrated over two measures: :math:`\Phi(A, B) = -\Phi(B, A)`, as screws with their moments.

    .. math:: \Phi(A, B) = \int_A \int_B l^{f(x, y), c(x, y)}\,\mu(dy)\,\mu(dx)

    ``force``: a function f of positions x (n, 3) and y (n, 3) that returns (n, 3), the force of y on x per unit of both measures;
    ``couple``: the same for a couple c, zero without it. The law must be skew: f(y, x) = −f(x, y), and without couples f is along the
    line between the points, otherwise c(x, y) + c(y, x) = (y − x) × f(x, y). `SkewBimeasure.central` has this for any function of the
    distance. Cheremensky, On Concept of Mechanical System, eq. (12).
    """

    force: Callable
    couple: Callable | None = None

    def __post_init__(self):
        for name, given in (("force", self.force), ("couple", self.couple)):
            if isinstance(given, type) or not (callable(given) or (given is None and name == "couple")):
                raise ModelError(
                    f"{WHERE}: {name} is {shorten(given)}; give a function of positions x (n, 3) and y (n, 3) that returns (n, 3)"
                )

    @classmethod
    def central(cls, attraction: Callable) -> "SkewBimeasure":
        """The law of a force along the line between two points, a function of their distances (n,) [m], positive if they attract.

        Newton's gravitation is ``SkewBimeasure.central(lambda r: G / r**2)``.
        """
        if isinstance(attraction, type) or not callable(attraction):
            raise ModelError(
                f"{WHERE}: {shorten(attraction)} is no function; give one of distances (n,) that returns (n,)"
            )

        def force(x: np.ndarray, y: np.ndarray) -> np.ndarray:
            d = y - x
            r = np.sqrt(d[:, 0] ** 2 + d[:, 1] ** 2 + d[:, 2] ** 2)
            if not r.all():
                k = int(np.argmin(r))
                raise ModelError(
                    f"{WHERE}: two points coincide at {x[k].tolist()}, so that the line between them has no direction; move the measures "
                    "apart"
                )
            given = from_function(f"{WHERE}: the force", attraction, r)
            if given.shape not in ((), r.shape):
                raise ModelError(
                    f"{WHERE}: the force has shape {given.shape} for {len(r)} distances; return one number for each"
                )
            return (given / r)[:, None] * d

        return cls(force)

    def between(self, a: Measure, b: Measure, accuracy: float = PAIR_ACCURACY) -> PairAction:
        """The screws that two measures exert on each other, with all components to an ``accuracy`` relative to the integral of their
        absolute values, as estimated."""
        check_accuracy(WHERE, accuracy)
        for given in (a, b):
            if not isinstance(given, Measure) or not given.parts:
                raise ModelError(
                    f"{WHERE}: {shorten(given)} is not a measure; make one with vc.Measure.solid, .mesh, .atoms or the like"
                )
        sides = sides_of(a), sides_of(b)
        middle = _middle(a, b)
        total, error, size = np.zeros(12), np.zeros(12), np.zeros(12)
        for one in sides[0]:
            for other in sides[1]:
                found = integrate_pairs(one, other, lambda x, y: self._screws(x, y, middle), accuracy)
                nodes = (one.accuracy + other.accuracy) * found.size
                total, error, size = total + found.value, error + found.error + nodes, size + found.size
        scale = error_scale(size, accuracy)
        first, second = (Slider(middle, total[k : k + 3], total[k + 3 : k + 6]) for k in (0, 6))
        both = np.repeat(scale.reshape(4, 3).max(1)[:2], 3)
        skewness = float((np.abs(total[:6] + total[6:]) / both).max())
        return PairAction(first, second, float((error / scale).max()), skewness)

    def _screws(self, x: np.ndarray, y: np.ndarray, middle: np.ndarray) -> np.ndarray:
        """The screw on x and that on y, {p, q} at the middle each, (n, 12), checked."""
        (f, c), (g, d) = self._law(x, y), self._law(y, x)
        some = slice(None, None, max(1, len(x) // PAIRS_LOOKED_AT))
        self._check_skew(x[some], y[some], f[some], g[some], c[some] + d[some])
        return np.concatenate([f, _cross(x - middle, f) + c, g, _cross(y - middle, g) + d], axis=1)

    def _check_skew(self, x: np.ndarray, y: np.ndarray, f: np.ndarray, g: np.ndarray, couples: np.ndarray) -> None:
        """Refuse forces that are not opposite, and forces and couples whose sum turns."""
        size = np.linalg.norm(f, axis=1) + np.linalg.norm(g, axis=1)
        wrong = np.linalg.norm(f + g, axis=1) > SKEW_LAW * size
        turns = _cross(x - y, f) + couples
        spread = size * np.linalg.norm(x - y, axis=1) + np.linalg.norm(couples, axis=1)
        twisted = np.linalg.norm(turns, axis=1) > SKEW_LAW * spread
        for bad, words in (
            (wrong, "f(x, y) + f(y, x) is not zero; give a law with opposite forces"),
            (
                twisted,
                "the two forces are not on one line and no couples balance them; give couple=, or a force along y − x",
            ),
        ):
            if bad.any():
                k = int(np.argmax(bad))
                raise ModelError(
                    f"{WHERE}: the law is not skew at x = {x[k].tolist()}, y = {y[k].tolist()}, where f(x, y) = {f[k].tolist()} and "
                    f"f(y, x) = {g[k].tolist()}: {words}"
                )

    def _law(self, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Forces and couples (n, 3) on x."""
        found: list[Any] = []
        for name, function in (("force", self.force), ("couple", self.couple)):
            with np.errstate(all="ignore"):
                given = np.zeros_like(x) if function is None else from_function(f"{WHERE}: the {name}", function, x, y)
            if given.shape != x.shape:
                raise ModelError(
                    f"{WHERE}: the {name} has shape {given.shape} for positions of shape {x.shape}; return ({len(x)}, 3)"
                )
            bad = ~np.isfinite(given).all(1)
            if bad.any():
                k = int(np.argmax(bad))
                raise ModelError(
                    f"{WHERE}: the {name} is {given[k].tolist()} at x = {x[k].tolist()}, y = {y[k].tolist()}, "
                    f"{np.linalg.norm(x[k] - y[k]):.3g} m apart: "
                    "the law is singular where the measures overlap; move them apart, or soften it (as 1/(r² + ε²))"
                )
            found.append(given)
        return found[0], found[1]


def _middle(a: Measure, b: Measure) -> np.ndarray:
    """A point amid both measures, where moments lose the fewest digits."""
    points = [np.asarray(value(part.nodes(2)[0]), dtype=float).mean(0) for one in (a, b) for part in one.parts]
    return np.mean(points, axis=0)


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Cross products of rows; NumPy's own takes several times as long."""
    found = np.empty_like(b)
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        found[:, i] = a[:, j] * b[:, k] - a[:, k] * b[:, j]
    return found
