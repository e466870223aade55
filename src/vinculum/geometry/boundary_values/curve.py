"""`StationaryCurve`: the solution of a boundary-value problem."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, final

import numpy as np

from vinculum.errors import StartError, shorten
from vinculum.geometry.boundary_values.mesh import Mesh
from vinculum.motion.arguments import floats
from vinculum.systems import nearest


class CurveNodes(NamedTuple):
    """What the polynomials of a curve are made of: ``mesh``; ``moving`` (n,): coordinates with rates; ``multipliers`` by constraint, at
    points or nodes of the mesh; ``controls`` at its points."""

    mesh: Mesh
    moving: np.ndarray
    multipliers: Mapping[str, np.ndarray]
    controls: np.ndarray


@final
@dataclass(frozen=True, eq=False)
class StationaryCurve:
    r"""A curve of stationary action, as polynomials on the elements of a mesh.

    ``time`` (T,), ``q`` (T, n): its nodes, from ``begin`` to ``until``. ``action``: ∫ L dt. ``error``: the largest change of coordinates
    (relative to one or to their size), end time and action when the mesh was last refined, which estimates the error of the mesh before;
    ``control_error``: the same of controls, coordinates without rates. ``integral_multipliers``: by name, those μ of ∫ (L + μ G) dt.
    ``nodes``: what the polynomials are made of.
    """

    name: str
    coordinates: tuple[str, ...]
    begin: float
    until: float
    time: np.ndarray
    q: np.ndarray
    action: float
    error: float
    control_error: float
    integral_multipliers: Mapping[str, float]
    nodes: CurveNodes
    log: tuple[str, ...]

    def __repr__(self):
        controls = f", of controls {self.control_error:.1e}" if self.nodes.controls.size else ""
        return (
            f"StationaryCurve({self.name}, action {self.action:.10g}, until {self.until:.10g}, error {self.error:.1e}{controls}, "
            f"{self.nodes.mesh.count} elements)"
        )

    def _parts(self, t) -> tuple[bool, np.ndarray]:
        times = floats(f"{self.name}: t", t)
        if times.ndim > 1 or np.any(times < self.begin) or np.any(times > self.until):
            raise StartError(f"{self.name}: t is {shorten(t)}; give instants from {self.begin:g} to {self.until:g}")
        return times.ndim == 0, (np.atleast_1d(times) - self.begin) / (self.until - self.begin)

    def at(self, t) -> np.ndarray:
        """Coordinates (n,) at an instant, or (B, n) at several."""
        one, x = self._parts(t)
        found = np.empty((len(x), len(self.coordinates)))
        found[:, self.nodes.moving] = self.nodes.mesh.at(x, self.q[:, self.nodes.moving])
        found[:, ~self.nodes.moving] = self.nodes.mesh.between(x, self.nodes.controls)
        return found[0] if one else found

    def velocity(self, t) -> np.ndarray:
        """Rates (n,) at an instant, or (B, n) at several; those of controls are not defined, and zero."""
        one, x = self._parts(t)
        found = np.zeros((len(x), len(self.coordinates)))
        found[:, self.nodes.moving] = self.nodes.mesh.at(x, self.q[:, self.nodes.moving], 1) / (self.until - self.begin)
        return found[0] if one else found

    def multiplier(self, constraint: str, t) -> np.ndarray:
        """λ of ∫ (L + λ F) dt, (k,) at an instant, or (B, k) at several; of a unilateral constraint it is not positive."""
        if constraint not in self.nodes.multipliers:
            raise StartError(
                f"{self.name} has no constraint {shorten(constraint)}{nearest(str(constraint), self.nodes.multipliers)}"
            )
        one, x = self._parts(t)
        values = self.nodes.multipliers[constraint]
        found = (
            self.nodes.mesh.between(x, values)
            if len(values) == len(self.nodes.mesh.points)
            else self.nodes.mesh.at(x, values)
        )
        return found[0] if one else found
