"""`LagrangianMotion`: the motion of a Lagrangian system, as arrays over time."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, final

import numpy as np

from vinculum.compile.evaluate import evaluate_groups
from vinculum.derivations.lagrangian.system import LagrangianSystem
from vinculum.errors import MethodError, StartError, shortened
from vinculum.models.lagrangian.type import lagrangian_of
from vinculum.models.layout import ConstrainedEntry
from vinculum.models.model import Model
from vinculum.motion.arguments import floats
from vinculum.motion.doors import AUDIT, PLOT
from vinculum.motion.events import Crossing
from vinculum.motion.lagrangian.bond import LagrangianBondMotion
from vinculum.motion.method import Method
from vinculum.motion.pieces import Pieces
from vinculum.systems import nearest

OF_BODIES = frozenset({"position", "velocity", "rotation", "angular_velocity", "reaction", "bond_wrench", "center"})


@final
@dataclass(frozen=True, eq=False)
class LagrangianMotion:
    """A run: ``time`` (T,) and arrays over it, from the dense output ``pieces`` and the tapes of ``model``; ``parameters``: their values;
    ``crossings`` of events; ``log``: remarks; ``interrupted``: by Ctrl-C; ``system``: that it came from, None for a loaded run."""

    model: Model
    pieces: Pieces
    time: np.ndarray
    method: Method
    parameters: Mapping[str, float]
    crossings: tuple[Crossing, ...] = ()
    log: tuple[str, ...] = ()
    interrupted: bool = False
    system: LagrangianSystem | None = None

    @classmethod
    def given(
        cls, system: LagrangianSystem, time, q, v, *, multipliers=None, parameters: Mapping[str, float] | None = None,
        tolerance: float = 1e-6,
    ) -> "LagrangianMotion":  # fmt: skip
        """A motion computed elsewhere: instants (T,), coordinates and their rates (T, n), and the ``multipliers`` (T, m) that are part of
        the state, where there are such. ``tolerance``: the relative accuracy claimed for the numbers."""
        from vinculum.motion.lagrangian.given import given_parts

        return cls(*given_parts(system, time, q, v, multipliers, parameters, tolerance), system=system)

    def __getattr__(self, name: str):
        if name in OF_BODIES:
            raise AttributeError(
                f"a motion of the Lagrangian system '{self.model.name}' has coordinates and no bodies, so there is no '{name}'; "
                "look at q, v, coordinate(name), or describe bodies and joints in a vc.System"
            )
        raise AttributeError(f"'LagrangianMotion' object has no attribute '{name}'")

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Names of the coordinates."""
        return tuple(self.model.layout.q_names)

    @property
    def order(self) -> int:
        """The highest derivative in the principle."""
        return lagrangian_of(self.model).order

    @property
    def constrained(self) -> list[ConstrainedEntry]:
        """Constraints: ``name``, ``level``, ``rows``, ``realization``, and ``multipliers``: "free", "ideal" or "loose"."""
        return lagrangian_of(self.model).constrained

    @property
    def changes(self) -> tuple:
        """Changes of charts, of which there are none."""
        return ()

    @property
    def atoms(self) -> None:
        """Impulses, of which there are none: no coordinate meets a unilateral constraint."""
        return None

    @property
    def phases(self) -> tuple:
        """Phases of contact, of which there are none."""
        return ()

    @cached_property
    def values(self) -> np.ndarray:
        """All parameters in order, (p,)."""
        known = self.model.parameters | dict(self.parameters)
        return np.array([known[name] for name in sorted(known)], dtype=float)

    @property
    def q(self) -> np.ndarray:
        """Coordinates (T, n)."""
        return self.derivative(0)

    @property
    def v(self) -> np.ndarray:
        """Their rates (T, n)."""
        return self.derivative(1)

    def derivative(self, order: int) -> np.ndarray:
        """Derivatives (T, n) of the coordinates; up to the order of the system as integrated, one more by the equations."""
        n, most = len(self.coordinates), self.order
        if not 0 <= order <= most + 1:
            raise StartError(
                f"derivatives of order {order} of '{self.model.name}' are not known; ask for 0 to {most + 1}"
            )
        if order <= most:
            return self._states[:, order * n : (order + 1) * n]
        rates = evaluate_groups(self.model.tape("motion"), self.rows(self.time))["state_dot"]
        return rates[:, most * n : (most + 1) * n]

    def __getitem__(self, name: str) -> np.ndarray:
        """One coordinate (T,)."""
        names = self.coordinates
        if name not in names:
            raise StartError(f"there is no coordinate '{name}' in system '{self.model.name}'{nearest(name, names)}")
        return self.q[:, names.index(name)]

    def bond(self, constraint) -> LagrangianBondMotion:
        """A constraint, by name: its multiplier, residual, power, work and energy."""
        known = [entry.name for entry in self.constrained]
        if constraint not in known:
            raise StartError(
                f"there is no constraint '{constraint}' in system '{self.model.name}'{nearest(constraint, known)}"
            )
        return LagrangianBondMotion(self, constraint)

    def at(self, time) -> "LagrangianMotion":
        """The same motion at other instants within its span, from the dense output."""
        instants = np.atleast_1d(floats("time", time))
        begin, end = self.pieces.begin, self.pieces.end
        if instants.ndim != 1 or np.any((instants < begin) | (instants > end)):
            raise StartError(f"the instants {shortened(time)} must form a row and lie between {begin:g} and {end:g}")
        return replace(self, time=instants)

    @property
    def momenta(self) -> np.ndarray:
        """Ostrogradsky's momenta (T, N n) of L + λF; of first order ∂(L + λF)/∂v."""
        return self._report["momenta"]

    @property
    def energy(self) -> np.ndarray:
        """E[L] = v · ∂L/∂v − L (T,). Gołubowska (15)."""
        if self.order > 1:
            raise MethodError(
                f"system '{self.model.name}' is of order {self.order}; its energy is `total_energy`, Ostrogradsky's"
            )
        return self._report["own"][:, 0]

    @property
    def total_energy(self) -> np.ndarray:
        """E[L] + E[M] (T,), with the part λ v · ∂F/∂v of vakonomic constraints. Gołubowska (88), (89)."""
        return self._report["total"][:, 0]

    def plot(self, *coordinates, path=None) -> Any:
        """The coordinates named (all by default), their rates, multipliers and energy over time, as a Matplotlib figure."""
        return PLOT(self, coordinates, path)

    def save(self, path) -> None:
        """Write the motion to a zarr folder, all or nothing; `vc.load` reads it without the functions that it was made of."""
        from vinculum.motion.storage.store import save

        save(self, path)

    def to_xarray(self) -> Any:
        """The motion on its grid as an `xarray.Dataset`."""
        from vinculum.motion.labelled import lagrangian_dataset

        return lagrangian_dataset(self)

    def audit(self) -> Any:
        """The certificate: stationary action, energy balance, constraints, rates."""
        return AUDIT(self)

    def rows(self, times: np.ndarray) -> np.ndarray:
        """Rows (state, t, parameters) for the tapes of the system."""
        given = np.broadcast_to(self.values, (len(times), len(self.values)))
        return np.concatenate([self.pieces.state(times), times[:, None], given], axis=1)

    @cached_property
    def _states(self) -> np.ndarray:
        return self.pieces.state(self.time)

    @property
    def _multipliers(self) -> np.ndarray:
        return self._states[:, self._states.shape[1] - lagrangian_of(self.model).multipliers :]

    @cached_property
    def _report(self) -> dict[str, np.ndarray]:
        return evaluate_groups(self.model.tape("report"), self.rows(self.time))
