"""Joints with an attitude of their own: spherical and free, in any rotation chart."""

from copy import copy
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from vinculum.bonds.joints.gaps import Gap, shifts
from vinculum.bonds.joints.joint import Joint, argument_names
from vinculum.errors import ModelError, StartError
from vinculum.scalars import value
from vinculum.scalars.math import dot, norm
from vinculum.screws import Chart, Pose, axial
from vinculum.screws import chart as chart_of
from vinculum.screws.entries import entries
from vinculum.tolerances.rank import CHART_STARTS


def attitude(where: str, chart: Chart, given) -> np.ndarray:
    """Rotation coordinates from a chart's own numbers, a rotation matrix or a `Pose`."""
    if isinstance(given, Pose):
        return _regular(where, chart, chart.from_matrix(given.R))
    array = entries(f"{where}: attitude", given)
    if array.shape == (3, 3):
        return _regular(where, chart, chart.from_matrix(Pose(rotation=array).R))
    if array.shape != (chart.size,):
        raise StartError(
            f"{where}: an attitude in the chart '{chart.name}' has {chart.size} numbers, got {given!r} "
            f"of shape {array.shape}; a 3×3 rotation matrix or a vc.Pose will also do"
        )
    if chart.name == "quaternion":
        known = np.asarray(value(array))
        if not norm(known) > 0.0:
            raise StartError(
                f"{where}: quaternion {known.tolist()} has norm 0 and is no rotation; no rotation is (1, 0, 0, 0)"
            )
        return array / norm(array)
    return _regular(where, chart, array)


def _regular(where: str, chart: Chart, array: np.ndarray) -> np.ndarray:
    """Coordinates that are refused at a singular place of their chart."""
    known = np.asarray(value(array))
    if chart.condition(known) < CHART_STARTS:
        raise StartError(
            f"{where}: {known.tolist()} is a singular place of the chart '{chart.name}' (a joint that is not named "
            "starts at zero); use chart='quaternion'"
        )
    return array


def chart_units(chart: Chart) -> tuple[str, ...]:
    """Unit of each rotation coordinate."""
    return ("1" if chart.name in ("quaternion", "fedorov") else "rad",) * chart.size


def ball_energy(stiffness, R_rest, R):
    """Energy k (1 − cos θ) = ½ k (3 − tr R) of a ball spring turned by θ: linear in θ when small, smooth in every chart."""
    return 0.5 * stiffness * (3.0 - np.sum(R_rest * R))


def ball_torque(stiffness, R_rest, R) -> np.ndarray:
    """Torque −k sin θ n of the ball spring, in the body's axes."""
    return -stiffness * axial(R_rest.T @ R)


@dataclass(frozen=True, eq=False)
class TurningJoint(Joint):
    """A joint whose velocities end with the angular velocity of the child in its own axes."""

    chart: Any = "quaternion"
    base: Any = field(default=None, init=False, repr=False)
    """Constant rotation (3, 3) that the chart's rotation follows, where a run has laid the chart anew; None for none."""

    def __post_init__(self):
        object.__setattr__(self, "chart", chart_of(self.chart))
        Joint.__post_init__(self)
        first, *others = self.stiffness[-3:]
        if any(
            k is not first and not (isinstance(k, float) and isinstance(first, float) and k == first) for k in others
        ):
            raise ModelError(
                f"joint '{self.name}': the three rotational stiffnesses {self.stiffness[-3:].tolist()} "
                "differ, but a ball spring has one; give one number or equal ones"
            )

    @property
    def alignment(self) -> Pose:
        return Pose()

    def absorbed(self, turn: float, shift: float) -> None:
        return None

    def passed_on(self, mass, moment, about_origin) -> tuple[tuple, tuple] | None:
        return None

    @property
    def turn(self) -> tuple[str, int, int] | None:
        return (self.chart.name, self.nq - self.chart.size, self.nq) if self.chart.name != "quaternion" else None

    @property
    def shows_turn(self) -> bool:
        return self.drive is not None and "q" in argument_names(self.drive)

    def with_base(self, base) -> "TurningJoint":
        other = copy(self)
        object.__setattr__(other, "base", base)
        return other

    def matrix(self, c) -> np.ndarray:
        """Rotation of the joint at chart coordinates c, (3, 3)."""
        R = self.chart.matrix(c)
        return R if self.base is None else self.base @ R

    def _turn(self, q):
        return q[-self.chart.size :]

    def _rest_matrix(self) -> np.ndarray:
        return self.chart.matrix(self._turn(self.rest))

    def chart_defect(self, q):
        return dot(self._turn(q), self._turn(q)) - 1.0 if self.chart.name == "quaternion" else None


@final
@dataclass(frozen=True, eq=False)
class Spherical(TurningJoint):
    """A ball joint. Coordinates: a rotation chart (quaternion, Fedorov, Euler angles); velocities: ω in the child."""

    @property
    def nq(self) -> int:
        return self.chart.size

    @property
    def nv(self) -> int:
        return 3

    @property
    def q_labels(self) -> tuple[str, ...]:
        return self.chart.labels

    @property
    def v_labels(self) -> tuple[str, ...]:
        return ("wx", "wy", "wz")

    @property
    def q_units(self) -> tuple[str, ...]:
        return chart_units(self.chart)

    @property
    def v_units(self) -> tuple[str, ...]:
        return ("rad/s",) * 3

    @property
    def identity(self) -> tuple[float, ...]:
        return self.chart.identity

    def gaps(self, X: Pose) -> list[Gap]:
        return shifts(X.p, "xyz")

    def sides(self, X: Pose) -> list:
        return []

    def pose(self, q) -> Pose:
        return Pose.of(self.matrix(q), np.zeros(3))

    def subspace(self, q) -> np.ndarray:
        return np.concatenate([np.zeros((3, 3)), np.eye(3)])

    def subspace_rate(self, q, v) -> np.ndarray:
        return np.zeros(6)

    def rates(self, q, v) -> np.ndarray:
        return self.chart.D_inverse(q) @ v

    def velocities(self, q, q_dot) -> np.ndarray:
        return self.chart.D(q) @ q_dot

    def position(self, given) -> np.ndarray:
        return attitude(f"joint '{self.name}'", self.chart, given)

    def spring_energy(self, q):
        return ball_energy(self.stiffness[0], self._rest_matrix(), self.matrix(q))

    def spring_force(self, q) -> np.ndarray:
        return ball_torque(self.stiffness[0], self._rest_matrix(), self.matrix(q))


@final
@dataclass(frozen=True, eq=False)
class Free(TurningJoint):
    """No bond at all: position (x, y, z) in the parent's joint frame and a rotation chart; velocities: the body twist."""

    @property
    def nq(self) -> int:
        return 3 + self.chart.size

    @property
    def nv(self) -> int:
        return 6

    @property
    def q_labels(self) -> tuple[str, ...]:
        return ("x", "y", "z", *(f"q{label}" for label in self.chart.labels))

    @property
    def v_labels(self) -> tuple[str, ...]:
        return ("vx", "vy", "vz", "wx", "wy", "wz")

    @property
    def q_units(self) -> tuple[str, ...]:
        return ("m",) * 3 + chart_units(self.chart)

    @property
    def v_units(self) -> tuple[str, ...]:
        return ("m/s",) * 3 + ("rad/s",) * 3

    @property
    def identity(self) -> tuple[float, ...]:
        return (0.0, 0.0, 0.0, *self.chart.identity)

    def gaps(self, X: Pose) -> list[Gap]:
        return []

    def sides(self, X: Pose) -> list:
        return []

    def pose(self, q) -> Pose:
        return Pose.of(self.matrix(q[3:]), q[:3])

    def subspace(self, q) -> np.ndarray:
        return np.eye(6)

    def subspace_rate(self, q, v) -> np.ndarray:
        return np.zeros(6)

    def rates(self, q, v) -> np.ndarray:
        return np.concatenate([self.matrix(q[3:]) @ v[:3], self.chart.D_inverse(q[3:]) @ v[3:]])

    def velocities(self, q, q_dot) -> np.ndarray:
        return np.concatenate([self.matrix(q[3:]).T @ q_dot[:3], self.chart.D(q[3:]) @ q_dot[3:]])

    def position(self, given) -> np.ndarray:
        where = f"joint '{self.name}'"
        if isinstance(given, Pose):
            return np.concatenate([given.p, attitude(where, self.chart, given)])
        array = entries(f"{where}: position", given)
        if array.shape == (3,):
            return np.concatenate([array, self.chart.identity])
        if array.shape != (self.nq,):
            raise StartError(
                f"{where} is free: its position is a vc.Pose, 3 numbers, or {self.nq} numbers "
                f"({', '.join(self.q_labels)}), got {given!r}"
            )
        return np.concatenate([array[:3], attitude(where, self.chart, array[3:])])

    def spring_energy(self, q):
        offset = q[:3] - self.rest[:3]
        return 0.5 * (self.stiffness[:3] @ (offset * offset)) + ball_energy(
            self.stiffness[3], self._rest_matrix(), self.matrix(q[3:])
        )

    def spring_force(self, q) -> np.ndarray:
        R = self.matrix(q[3:])
        pull = -R.T @ (self.stiffness[:3] * (q[:3] - self.rest[:3]))
        return np.concatenate([pull, ball_torque(self.stiffness[3], self._rest_matrix(), R)])
