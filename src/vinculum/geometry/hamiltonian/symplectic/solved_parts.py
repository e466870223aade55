"""Parts of a Hamiltonian whose motions are known in closed form."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from vinculum.errors import ModelError, shorten
from vinculum.scalars import value
from vinculum.scalars.math import dot, norm
from vinculum.screws.entries import entries, is_number


@final
@dataclass
class MainFlow:
    """What the solved parts of a Hamiltonian of n coordinates are made of, for the compiled loop.

    ``bodies``: places of three coordinates, mass, and attraction μ of every Kepler motion. ``S`` (2n, 2n): the symmetric matrix of all
    quadratic parts.
    """

    n: int
    bodies: list[tuple[tuple[int, int, int], float, float]] = field(default_factory=list)
    S: np.ndarray = field(init=False)

    def __post_init__(self):
        self.S = np.zeros((2 * self.n, 2 * self.n))


class SolvedPart(ABC):
    """A part of a Hamiltonian, on some of its coordinates and their momenta, whose motion is known."""

    coordinates: Sequence[str]

    @property
    @abstractmethod
    def key(self) -> tuple:
        """What makes it the same part as another."""

    @abstractmethod
    def energy(self, q: np.ndarray, p: np.ndarray) -> Any:
        """The part as a graph over its own coordinates and momenta."""

    @abstractmethod
    def join(self, flow: MainFlow, places: Sequence[int]) -> None:
        """Add the part to what is solved; ``places``: of its coordinates."""


@final
@dataclass(frozen=True)
class Kepler(SolvedPart):
    r"""Motion about a fixed center.

    .. math:: H_A = \frac{p\cdot p}{2m} - \frac{k}{|q|}

    ``coordinates``: the names of three; ``mass`` m, ``strength`` k, both positive. It is solved in universal variables, for ellipses,
    parabolas and hyperbolas.
    """

    coordinates: Sequence[str]
    mass: float
    strength: float

    def __post_init__(self):
        object.__setattr__(self, "coordinates", part_names("Kepler", self.coordinates, 3))
        for what, x in (("mass", self.mass), ("strength", self.strength)):
            if not is_number(x) or not 0.0 < x < np.inf:
                raise ModelError(f"Kepler: {what} is {shorten(x)}; give a number above 0")

    @property
    def key(self) -> tuple:
        return "Kepler", *self.coordinates, float(self.mass), float(self.strength)

    def energy(self, q: np.ndarray, p: np.ndarray) -> Any:
        return dot(p, p) / (2.0 * self.mass) - self.strength / norm(q)

    def join(self, flow: MainFlow, places: Sequence[int]) -> None:
        x, y, z = places
        flow.bodies.append(((x, y, z), float(self.mass), float(self.strength) / float(self.mass)))


@final
@dataclass(frozen=True, eq=False)
class Quadratic(SolvedPart):
    r"""A quadratic form of k coordinates and their momenta, whose motion is linear.

    .. math:: H_A = \tfrac12 x\cdot S x,\qquad x = (q, p)

    ``matrix`` S: (2k, 2k), symmetric; or (2k,) for a diagonal one. Oscillators, free bodies and bodies in a magnetic field are such.
    """

    coordinates: Sequence[str]
    matrix: Any

    def __post_init__(self):
        names = part_names("Quadratic", self.coordinates)
        S = np.array(value(np.asarray(entries("Quadratic: matrix", self.matrix, refusal=ModelError))), dtype=float)
        S = np.diag(S) if S.ndim == 1 else S
        size = 2 * len(names)
        if S.shape != (size, size) or not np.all(np.isfinite(S)) or not np.array_equal(S, S.T):
            raise ModelError(
                f"Quadratic: matrix {shorten(self.matrix)} must be symmetric and finite, with {size} rows for {', '.join(names)} "
                "and their momenta"
            )
        object.__setattr__(self, "coordinates", names)
        object.__setattr__(self, "matrix", S)

    @property
    def key(self) -> tuple:
        return "Quadratic", *self.coordinates, self.matrix.tobytes()

    def energy(self, q: np.ndarray, p: np.ndarray) -> Any:
        x = np.concatenate([q, p])
        return 0.5 * dot(x, self.matrix @ x)

    def join(self, flow: MainFlow, places: Sequence[int]) -> None:
        rows = [*places, *(flow.n + i for i in places)]
        flow.S[np.ix_(rows, rows)] += self.matrix


def part_names(what: str, given: Any, count: int | None = None) -> tuple[str, ...]:
    """Different names of coordinates, of which there may have to be a number."""
    wanted = "names of coordinates" if count is None else f"the names of {count} coordinates"
    if isinstance(given, str) or not isinstance(given, Sequence) or not given or len(set(map(str, given))) < len(given):
        raise ModelError(f"{what}: coordinates is {shorten(given)}; give {wanted}, each once, as ['x', 'y', 'z']")
    if any(not isinstance(name, str) for name in given) or (count is not None and len(given) != count):
        raise ModelError(f"{what}: coordinates is {shorten(given)}; give {wanted}")
    return tuple(given)
