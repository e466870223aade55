"""The joint that carries a prescribed body: no coordinates, and a pose that time alone changes."""

from dataclasses import dataclass, replace
from typing import final

import numpy as np

from vinculum.bodies import Path, PrescribedBody
from vinculum.bonds.joints.flat import FlatJoint
from vinculum.bonds.joints.gaps import Gap, shifts, turns, unturned
from vinculum.errors import ModelError, StartError
from vinculum.screws import Pose


@final
@dataclass(frozen=True, eq=False)
class Prescribed(FlatJoint):
    """The child, a `PrescribedBody`, moves along its own path. ``held``: the path at one instant; by default at any."""

    held: Path | None = None

    def _prepare(self) -> None:
        if not isinstance(self.child, PrescribedBody):
            raise ModelError(f"joint '{self.name}': {self.child!r} is not a prescribed body; give a vc.PrescribedBody")
        object.__setattr__(self, "held", self.child.path if self.held is None else self.held)

    @property
    def nv(self) -> int:
        return 0

    @property
    def q_labels(self) -> tuple[str, ...]:
        return ()

    @property
    def q_units(self) -> tuple[str, ...]:
        return ()

    @property
    def alignment(self) -> Pose:
        return Pose()

    @property
    def is_prescribed(self) -> bool:
        return True

    @property
    def drift(self) -> np.ndarray:
        return self._path.twist

    @property
    def drift_rate(self) -> np.ndarray:
        return self._path.twist_rate

    def at_time(self, t) -> "Prescribed":
        return Prescribed(self.name, self.parent, self.child, held=self._path.at(t))

    def stopped(self) -> "Prescribed":
        still = replace(self._path, twist=np.zeros(6), twist_rate=np.zeros(6))
        return Prescribed(self.name, self.parent, self.child, held=still)

    def absorbed(self, turn: float, shift: float) -> None:
        return None

    def passed_on(self, mass, moment, about_origin) -> tuple[tuple, tuple] | None:
        """What moves as prescribed whatever happens has no part in the equations of motion."""
        return (0.0, np.zeros(3), np.zeros((3, 3))), (mass, moment, about_origin)

    def gaps(self, X: Pose) -> list[Gap]:
        return [*shifts(X.p, "xyz"), *turns(X.R)]

    def sides(self, X: Pose) -> list:
        return unturned(X.R)

    def pose(self, q) -> Pose:
        return Pose.of(self._path.R, self._path.p)

    def subspace(self, q) -> np.ndarray:
        return np.zeros((6, 0))

    def subspace_rate(self, q, v) -> np.ndarray:
        return np.zeros(6)

    def position(self, given) -> np.ndarray:
        if np.size(given):
            raise StartError(refusal_of_start(self.name))
        return np.zeros(0)

    @property
    def _path(self) -> Path:
        assert self.held is not None
        return self.held


def refusal_of_start(name: str) -> str:
    """Why a prescribed body has no start."""
    return (
        f"body '{name}' is prescribed: its position and velocity are given functions of time at every instant; leave it out of "
        "the start, or change the functions"
    )
