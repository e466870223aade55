"""`Planets`: masses that attract each other, one of which holds most of the mass, in Jacobi's coordinates."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from vinculum.errors import ModelError, StartError, shorten
from vinculum.geometry.hamiltonian.symplectic.solved_parts import Kepler, Quadratic, SolvedPart
from vinculum.geometry.hamiltonian.system import Hamiltonian
from vinculum.motion.arguments import floats
from vinculum.scalars.math import dot, norm
from vinculum.screws.entries import is_number

AXES = ("x", "y", "z")


@final
@dataclass(frozen=True, eq=False)
class Planets:
    r"""Attracting masses in Jacobi's coordinates: each body from the mass center of those before it, and the mass center of all.

    .. math:: H = \frac{P^2}{2M} + \sum_i\Big(\frac{p_i^2}{2\mu_i} - \frac{G m_i M_{i-1}}{|q_i|}\Big) + \varepsilon B(q),\qquad
              M_i = \sum_{j\le i}m_j,\quad \mu_i = \frac{m_i M_{i-1}}{M_i}

    ``masses``: by the names of the bodies, the central one first and then outward; ``G``: the constant of gravitation. `hamiltonian` and
    its `solved` parts are for `integrate_perturbed`; `state` and `bodies` change between both kinds of coordinates. Wisdom and Holman,
    Astron. J. 102 (1991) 1528.
    """

    name: str
    masses: dict[str, float]
    G: float = 1.0

    def __post_init__(self):
        if not isinstance(self.name, str) or not self.name:
            raise ModelError(f"Planets are named {shorten(self.name)}; give them a name, such as 'solar system'")
        if not isinstance(self.masses, dict) or len(self.masses) < 2:
            raise ModelError(
                f"Planets '{self.name}': masses is {shorten(self.masses)}; map at least two names to masses, the central one first"
            )
        for name, m in self.masses.items():
            if not isinstance(name, str) or not name.isidentifier() or name == "center":
                raise ModelError(
                    f"Planets '{self.name}': a body is named {shorten(name)}; use letters, digits and underscores, not 'center', "
                    "which is the mass center"
                )
            if not is_number(m) or not 0.0 < m < np.inf:
                raise ModelError(f"Planets '{self.name}': the mass of '{name}' is {shorten(m)}; give a number above 0")
        if not is_number(self.G) or not 0.0 < self.G < np.inf:
            raise ModelError(f"Planets '{self.name}': G is {shorten(self.G)}; give a number above 0")

    @cached_property
    def coordinates(self) -> tuple[str, ...]:
        """Names of the coordinates, three for the mass center and for each body but the first."""
        return tuple(f"{name}_{axis}" for name in ("center", *list(self.masses)[1:]) for axis in AXES)

    @cached_property
    def _sums(self) -> np.ndarray:
        return np.cumsum([*self.masses.values()], dtype=float)

    @cached_property
    def _matrix(self) -> np.ndarray:
        """Jacobi's coordinates of the bodies' positions, (N, N)."""
        m, M, count = np.array([*self.masses.values()], dtype=float), self._sums, len(self.masses)
        T = np.zeros((count, count))
        T[0] = m / M[-1]
        for i in range(1, count):
            T[i, :i], T[i, i] = -m[:i] / M[i - 1], 1.0
        return T

    @cached_property
    def reduced_masses(self) -> np.ndarray:
        """M of the mass center and then μ of each body but the first, (N,)."""
        m, M = np.array([*self.masses.values()], dtype=float), self._sums
        return np.array([M[-1], *(m[1:] * M[:-1] / M[1:])])

    @cached_property
    def hamiltonian(self) -> Hamiltonian:
        """H in Jacobi's coordinates."""
        return Hamiltonian(self.name, self.coordinates, self._energy)

    def _energy(self, q, p) -> Any:
        m, count = [*self.masses.values()], len(self.masses)
        places, momenta = np.reshape(q, (count, 3)), np.reshape(p, (count, 3))
        total: Any = sum(dot(p, p) / (2.0 * mass) for p, mass in zip(momenta, self.reduced_masses, strict=True))
        ahead: Any = np.zeros(3)
        from_center: list[Any] = []
        for i in range(1, count):
            own = places[i] + ahead
            ahead = ahead + (m[i] / self._sums[i]) * places[i]
            total = total - self.G * m[i] * m[0] / norm(own)
            for j, other in enumerate(from_center):
                total = total - self.G * m[i] * m[j + 1] / norm(own - other)
            from_center.append(own)
        return total

    @cached_property
    def solved(self) -> tuple[SolvedPart, ...]:
        """The free motion of the mass center, and Kepler's motion of each body but the first about those before it."""
        names = np.reshape(self.coordinates, (-1, 3)).tolist()
        free = Quadratic(names[0], [0.0] * 3 + [1.0 / self._sums[-1]] * 3)
        m = [*self.masses.values()]
        around = [
            Kepler(names[i], float(self.reduced_masses[i]), self.G * m[i] * float(self._sums[i - 1]))
            for i in range(1, len(m))
        ]
        return (free, *around)

    def state(self, x, v) -> tuple[np.ndarray, np.ndarray]:
        """Jacobi's coordinates and momenta (3N,) of positions and velocities (N, 3); or (B, 3N) of (B, N, 3)."""
        x, v = self._vectors("x", x), self._vectors("v", v)
        if x.shape != v.shape:
            raise StartError(f"Planets '{self.name}': x has shape {x.shape} and v {v.shape}; give as many of both")
        q, u = self._matrix @ x, self._matrix @ v
        p = self.reduced_masses[:, None] * u
        shape = (*x.shape[:-2], -1)
        return q.reshape(shape), p.reshape(shape)

    def bodies(self, q, p) -> tuple[np.ndarray, np.ndarray]:
        """Positions and velocities (…, N, 3) of the bodies at Jacobi's coordinates and momenta (…, 3N)."""
        found = []
        for what, given in (("q", q), ("p", p)):
            one = floats(f"Planets '{self.name}': {what}", given)
            if one.shape[-1:] != (len(self.coordinates),):
                raise StartError(
                    f"Planets '{self.name}': {what} has shape {one.shape}; give {len(self.coordinates)} numbers, or rows of them"
                )
            found.append(one.reshape(*one.shape[:-1], -1, 3))
        inverse = np.linalg.inv(self._matrix)
        return inverse @ found[0], inverse @ (found[1] / self.reduced_masses[:, None])

    def _vectors(self, what: str, given: Any) -> np.ndarray:
        found = floats(f"Planets '{self.name}': {what}", given)
        if found.shape[-2:] != (len(self.masses), 3):
            raise StartError(
                f"Planets '{self.name}': {what} has shape {found.shape}; give a vector for each of {', '.join(self.masses)}"
            )
        return found
