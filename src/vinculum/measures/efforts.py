"""Efforts on a moving point as a measure in time: a density and atoms."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from vinculum.errors import ModelError
from vinculum.measures.kinetic import KineticMeasure
from vinculum.measures.kinetic_parts import Trajectory
from vinculum.measures.windows import Window
from vinculum.screws.entries import from_function, numeric


@final
@dataclass(frozen=True, eq=False)
class EffortMeasure:
    """Forces f dt and impulses R at instants (Moreau's percussions), on a trajectory. Moreau, An expression of
    classical dynamics, (4.3)."""

    path: Trajectory
    density: Callable | None
    instants: np.ndarray
    percussions: np.ndarray

    @classmethod
    def along(
        cls, measure: KineticMeasure, density: Callable | None = None, instants=(), percussions=()
    ) -> "EffortMeasure":
        """Efforts on the only trajectory of a measure.

        ``density(t, ξ, u)``: forces (T, d) [N] at instants (T,), points and velocities (T, 1 + d). ``instants``: (K,),
        ``percussions``: (K, d) [N s].
        """
        paths = [part for part in measure.parts if isinstance(part, Trajectory)]
        if len(paths) != 1 or len(measure.parts) != 1:
            raise ModelError(f"effort measure: {len(paths)} trajectories in the measure: efforts are along exactly one")
        size = paths[0].at(paths[0].edges[:1], 0)[0].shape[1]
        times = numeric("effort measure: instants", instants).reshape(-1)
        atoms = (
            numeric("effort measure: percussions", percussions).reshape(len(times), -1)
            if len(times)
            else np.zeros((0, size - 1))
        )
        if atoms.shape != (len(times), size - 1):
            raise ModelError(
                f"effort measure: percussions of shape {atoms.shape} for {len(times)} instants in {size - 1} dimensions"
            )
        return cls(paths[0], density, times, atoms)

    def restrict(self, window: Window) -> "EffortMeasure":
        """χ F: the restriction to a window; an atom on a face belongs to it if the face is closed."""
        path = self.path.restrict(window)
        kept = path.shows(self.instants)
        return replace(self, path=path, instants=self.instants[kept], percussions=self.percussions[kept])

    def push_forward(self, mapped: Callable) -> "EffortMeasure":
        """The efforts pushed forward by a map, as vectors."""
        return replace(self, path=self.path.push_forward(mapped))

    def pair(self, test) -> np.ndarray:
        """∫ f φ dt + Σ R φ, (1 + d,), the first component zero."""
        return self._pairing(lambda xi: test(xi)[:, None], test.support)

    def power(self, field) -> float:
        """⟨F, η⟩ against test vectors."""
        return float(self._pairing(field, field.support).sum())

    def _pairing(self, tested: Callable, support) -> np.ndarray:
        total = 0.0
        plain = replace(self.path, maps=())
        if self.density is not None:
            for k, s, weights in self.path.quadrature(support):
                xi, u = plain.at(s, k)
                given = from_function("effort measure: density", self.density, s, xi, u)
                if given.shape != (len(s), xi.shape[1] - 1):
                    raise ModelError(
                        f"effort measure: density gives shape {given.shape}; return forces ({len(s)}, {xi.shape[1] - 1})"
                    )
                force = np.concatenate([np.zeros((len(s), 1)), given], axis=1)
                places, force = self._push_force(xi, force)
                total = total + np.einsum("n,na,na->a", weights, force, tested(places) * np.ones_like(force))
        for t, R in zip(self.instants, self.percussions, strict=True):
            xi, _ = plain.at(np.array([t]), int(np.clip(np.searchsorted(plain.edges, t) - 1, 0, len(plain.paths) - 1)))
            places, force = self._push_force(xi, np.concatenate([[0.0], R])[None])
            total = total + (force * tested(places))[0]
        size = self.path.at(self.path.edges[:1], 0)[0].shape[1]
        return total + np.zeros(size)

    def _push_force(self, xi: np.ndarray, force: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        for mapped in self.path.maps:
            xi, J = mapped(xi)
            force = np.einsum("nab,nb->na", J, force)
        return xi, force
