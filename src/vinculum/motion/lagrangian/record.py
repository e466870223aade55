"""`LagrangianRecord`: the data of a run of a Lagrangian system. Immutable."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, final

import numpy as np

from vinculum.compile.evaluate import evaluate_groups
from vinculum.derivations.lagrangian.system import LagrangianSystem
from vinculum.errors import MethodError, StartError, shorten
from vinculum.models.lagrangian.type import lagrangian_of
from vinculum.models.layout import ConstrainedEntry
from vinculum.models.model import Model
from vinculum.motion.arguments import checked_side, floats, values_in_order
from vinculum.motion.events import Crossing
from vinculum.motion.method import Method
from vinculum.motion.pieces import Pieces
from vinculum.systems import nearest


@final
@dataclass(frozen=True, eq=False)
class LagrangianRecord:
    """A run: ``time`` (T,) and arrays over it, from the dense output ``pieces`` and the tapes of ``model``; ``parameters``: their values;
    ``crossings`` of events; ``log``: remarks; ``interrupted``: by Ctrl-C; ``system``: that it came from, None for a loaded run;
    ``made_by``: the versions that computed a loaded run."""

    model: Model
    pieces: Pieces
    time: np.ndarray
    method: Method
    parameters: Mapping[str, float]
    crossings: tuple[Crossing, ...] = ()
    log: tuple[str, ...] = ()
    interrupted: bool = False
    system: LagrangianSystem | None = None
    made_by: str = ""
    changes: ClassVar[tuple] = ()
    """Changes of charts, of which there are none."""
    atoms: ClassVar[None] = None
    """Impulses, of which there are none: no coordinate meets a unilateral constraint."""
    phases: ClassVar[tuple] = ()
    """Phases of contact, of which there are none."""
    contact_solver: ClassVar[None] = None
    """How impulses were solved, of which there are none."""
    origin: ClassVar[None] = None
    """A record that is judged by another system, of which there is none."""
    carried: ClassVar[None] = None
    """A base that carries the motion, of which there is none."""

    def __repr__(self):
        span = f"{self.pieces.begin:g} … {self.pieces.end:g}"
        return f"Motion of '{self.model.name}', {span}, {len(self.pieces)} step{'s' * (len(self.pieces) != 1)}, {self.method}"

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

    @cached_property
    def values(self) -> np.ndarray:
        """All parameters in order, (p,)."""
        return values_in_order(self.model.parameters, self.parameters)

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
            raise StartError(f"derivatives of order {order} of '{self.model.name}' are not known; use 0 to {most + 1}")
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

    def at(self, time, side: str = "right") -> "LagrangianRecord":
        """The same motion at other instants within its span, from the dense output."""
        instants = np.atleast_1d(floats("time", time))
        begin, end = self.pieces.begin, self.pieces.end
        if instants.ndim != 1 or np.any((instants < begin) | (instants > end)):
            raise StartError(f"the instants {shorten(time)} must form a row and lie between {begin:g} and {end:g}")
        checked_side(side)
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

    def rows(self, times: np.ndarray) -> np.ndarray:
        """Rows (state, t, parameters) for the tapes of the system."""
        given = np.broadcast_to(self.values, (len(times), len(self.values)))
        return np.concatenate([self.pieces.state(times), times[:, None], given], axis=1)

    @cached_property
    def _states(self) -> np.ndarray:
        return self.pieces.state(self.time)

    @property
    def rest(self) -> np.ndarray:
        """What the state holds beside the coordinates (T, k): derivatives, momenta, and vakonomic multipliers."""
        return self._states[:, len(self.coordinates) :]

    @property
    def _multipliers(self) -> np.ndarray:
        return self._states[:, self._states.shape[1] - lagrangian_of(self.model).multipliers :]

    @cached_property
    def _report(self) -> dict[str, np.ndarray]:
        return evaluate_groups(self.model.tape("report"), self.rows(self.time))
