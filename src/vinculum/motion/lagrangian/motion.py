"""`LagrangianMotion`: the motion of a Lagrangian system, as arrays over time."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.derivations.lagrangian.system import LagrangianSystem
from vinculum.errors import StartError
from vinculum.motion.lagrangian.bond import LagrangianBondMotion
from vinculum.motion.lagrangian.record import LagrangianRecord
from vinculum.motion.recorded_motion import RecordedMotion
from vinculum.systems import nearest
from vinculum.tolerances.certificates import CLAIMED

OF_BODIES = frozenset(
    {"position", "velocity", "rotation", "angular_velocity", "reaction", "bond_wrench", "center", "body", "joint"}
)


@final
@dataclass(frozen=True, eq=False)
class LagrangianMotion(RecordedMotion):
    """The motion of a Lagrangian system on a grid of instants: states, energies, views of constraints, audit, plots
    and files.

    ``record``: the data of the run: method, parameters, log, crossings of events, momenta and dense output.

    >>> swing = vc.LagrangianSystem("swing", ["phi"], lambda q, v: 0.5 * v[0] ** 2 + 9.81 * vc.math.cos(q[0]))
    >>> motion = vc.simulate(swing, until=1.0, start=([0.2], [0.0]), method="dop853", grid=3)
    >>> motion["phi"].round(6)
    array([ 0.2     ,  0.001734, -0.19997 ])
    """

    record: LagrangianRecord

    def __repr__(self):
        return repr(self.record)

    def __getattr__(self, name: str):
        if name in OF_BODIES:
            raise AttributeError(
                f"a motion of the Lagrangian system '{self.record.model.name}' has coordinates and no bodies, so there is no '{name}'; "
                "look at q, v and motion[name], or describe bodies and joints in a vc.System"
            )
        raise AttributeError(f"'LagrangianMotion' object has no attribute '{name}'")

    def _record_in_frame(self, frame) -> LagrangianRecord:
        raise StartError(
            f"a motion of the Lagrangian system '{self.record.model.name}' has coordinates of any kind, so no other frame is known of it; "
            "describe bodies and joints in a vc.System"
        )

    def derivative(self, order: int) -> np.ndarray:
        """Derivatives (T, n) of the coordinates; up to the order of the system as integrated, one more by the equations."""
        return self.record.derivative(order)

    @property
    def energy(self) -> np.ndarray:
        """E[L] = v · ∂L/∂v − L (T,). Gołubowska (15)."""
        return self.record.energy

    @property
    def total_energy(self) -> np.ndarray:
        """E[L] + E[M] (T,), with the part λ v · ∂F/∂v of vakonomic constraints. Gołubowska (88), (89)."""
        return self.record.total_energy

    def bond(self, constraint) -> LagrangianBondMotion:
        """View of a constraint, by name: multiplier, residual, power, work and energy."""
        known = [entry.name for entry in self.record.constrained]
        if constraint not in known:
            raise StartError(
                f"there is no constraint '{constraint}' in system '{self.record.model.name}'{nearest(constraint, known)}"
            )
        return LagrangianBondMotion(self.record, constraint)

    def replace(self, *, q=None, v=None, system=None, parameters=None, multipliers=None) -> "LagrangianMotion":
        """A copy on this grid with other coordinates, rates, multipliers, system or parameters, for an audit."""
        record = self.record
        system = record.system if system is None else system
        if system is None:
            raise StartError(
                f"'{record.model.name}' is a loaded run; say of which vc.LagrangianSystem the other motion is, with system="
            )
        given = record.parameters if parameters is None else parameters
        lam = record._multipliers if multipliers is None else multipliers
        q, v = self.q if q is None else q, self.v if v is None else v
        return motion_of_coordinates(system, self.time, q, v, lam, given)


def motion_of_coordinates(
    system: LagrangianSystem, time, q, v, multipliers=None, parameters: Mapping[str, float] | None = None, tolerance: float = CLAIMED
) -> LagrangianMotion:  # fmt: skip
    """A motion of coordinates that was computed elsewhere; see `given_motion`."""
    from vinculum.motion.lagrangian.given import given_parts

    return LagrangianMotion(
        LagrangianRecord(*given_parts(system, time, q, v, multipliers, parameters, tolerance), system=system)
    )
