"""`PhaseMotion`: states of a Hamiltonian system over time."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from vinculum.errors import StartError
from vinculum.geometry.hamiltonian.functions import PhaseFunction
from vinculum.geometry.hamiltonian.system import Hamiltonian
from vinculum.systems import nearest


@final
@dataclass(frozen=True, eq=False)
class PhaseMotion:
    """Coordinates ``q`` and momenta ``p`` (T, n) at the instants ``time`` (T,); (B, T, n) for B runs. ``method``: how it was computed."""

    hamiltonian: Hamiltonian
    time: np.ndarray
    q: np.ndarray
    p: np.ndarray
    method: str
    parameters: Mapping[str, float]

    def __repr__(self):
        runs = f"{len(self.q)} runs, " if self.q.ndim == 3 else ""
        span = f"{len(self.time)} instants from {self.time[0]:g} to {self.time[-1]:g}"
        return f"PhaseMotion('{self.hamiltonian.name}', {runs}{span}, {self.method})"

    def __getitem__(self, name: str) -> np.ndarray:
        """A coordinate or momentum by its name, (T,) or (B, T)."""
        space = self.hamiltonian.space
        for names, values in ((space.coordinates, self.q), (space.momenta, self.p)):
            if name in names:
                return values[..., names.index(name)]
        raise StartError(f"{space.where} has no '{name}'{nearest(str(name), (*space.coordinates, *space.momenta))}")

    @cached_property
    def energy(self) -> np.ndarray:
        """H along the motion, (T,) or (B, T)."""
        return self.values(self.hamiltonian.energy)

    def values(self, function: PhaseFunction) -> np.ndarray:
        """A function of this phase space along the motion, with the instants and runs as first indices."""
        n = self.hamiltonian.space.n
        t = np.broadcast_to(self.time, self.q.shape[:-1]).ravel()
        known = {name: x for name, x in self.parameters.items() if name in function.parameters}
        found = function(self.q.reshape(-1, n), self.p.reshape(-1, n), t, known)
        return found.reshape(*self.q.shape[:-1], *np.shape(function.graphs))
