"""Joints whose velocities are the rates of their coordinates."""

from dataclasses import dataclass

import numpy as np

from vinculum.bonds.joints.joint import Joint
from vinculum.errors import StartError
from vinculum.screws import Pose
from vinculum.screws.entries import entries


@dataclass(frozen=True, eq=False)
class FlatJoint(Joint):
    """A joint with q̇ = v and a spring of energy ½ Σ k (q − rest)²."""

    @property
    def nq(self) -> int:
        return self.nv

    @property
    def v_labels(self) -> tuple[str, ...]:
        return self.q_labels

    @property
    def v_units(self) -> tuple[str, ...]:
        return tuple(f"{unit}/s" for unit in self.q_units)

    @property
    def identity(self) -> tuple[float, ...]:
        return (0.0,) * self.nv

    def rates(self, q, v) -> np.ndarray:
        return v

    def velocities(self, q, q_dot) -> np.ndarray:
        return q_dot

    def position(self, given) -> np.ndarray:
        if isinstance(given, Pose):
            raise StartError(
                f"joint '{self.name}' takes {self.nq} number{'s' * (self.nq != 1)} ({', '.join(self.q_units)}), "
                "not a pose"
            )
        array = np.atleast_1d(entries(f"joint '{self.name}': position", given))
        if array.shape != (self.nq,):
            raise StartError(f"joint '{self.name}' has {self.nq} coordinate{'s' * (self.nq != 1)}, got {given!r}")
        return array

    def spring_energy(self, q):
        return 0.5 * (self.stiffness @ ((q - self.rest) * (q - self.rest))) if self.nv else 0.0

    def spring_force(self, q) -> np.ndarray:
        return -self.stiffness * (q - self.rest)

    def chart_defect(self, q):
        return None
