"""Coordinates of a joint: numbers with rates as velocities, or a rotation chart with or without a position."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.errors import StartError
from vinculum.scalars import Value, value
from vinculum.scalars.math import dot, norm
from vinculum.screws import Chart, Pose, axial
from vinculum.screws.entries import entries
from vinculum.tolerances.rank import CHART_STARTS


class CoordinateNames(ABC):
    """Names and units of the coordinates q and velocities v of a joint."""

    @property
    @abstractmethod
    def q_labels(self) -> tuple[str, ...]:
        """What follows the joint's name in the name of each coordinate; empty for the only one."""

    @property
    @abstractmethod
    def q_units(self) -> tuple[str, ...]:
        """Units of the coordinates."""

    @property
    @abstractmethod
    def v_labels(self) -> tuple[str, ...]:
        """What follows the joint's name in the name of each velocity; empty for the only one."""

    @property
    @abstractmethod
    def v_units(self) -> tuple[str, ...]:
        """Units of the velocities."""

    @property
    def nq(self) -> int:
        """Number of coordinates."""
        return len(self.q_labels)

    @property
    def nv(self) -> int:
        """Number of velocities."""
        return len(self.v_labels)


class Coordinates(CoordinateNames):
    """The meaning of the coordinates q and velocities v of a joint."""

    @property
    @abstractmethod
    def identity(self) -> tuple[float, ...]:
        """The coordinates at which both joint frames coincide."""

    @abstractmethod
    def rates(self, q, v) -> np.ndarray:
        """q̇ = N(q) v, shape (nq,)."""

    @abstractmethod
    def velocities(self, q, q_dot) -> np.ndarray:
        """v of given rates q̇, shape (nv,): the inverse of `rates`."""

    @abstractmethod
    def position(self, where: str, given) -> np.ndarray:
        """Coordinates from a start value; other sizes and values are refused."""

    def rate(self, where: str, given) -> np.ndarray:
        """Velocities from a start value; other sizes are refused."""
        found = np.atleast_1d(entries(f"{where}: rate", given))
        if found.shape != (self.nv,):
            raise StartError(
                f"{where}: the rate has {self.nv} number{'s' * (self.nv != 1)} ({', '.join(self.v_units)}), got {given!r}"
            )
        return found

    @abstractmethod
    def spring_energy(self, stiffness, rest, q) -> Value:
        """Energy [J] of a spring between the coordinates ``rest`` and q."""

    @abstractmethod
    def spring_force(self, stiffness, rest, q) -> np.ndarray:
        """Generalized force of that spring, shape (nv,); its power is minus the rate of the energy."""

    @abstractmethod
    def chart_defect(self, q) -> Any:
        """A number that vanishes if the coordinates lie on their chart, or None."""

    def runs(self, given) -> list | None:
        """Start values of single runs, where ``given`` is made of parts of different shapes; None for rows of numbers."""
        return None

    def sample(self, numbers: np.ndarray) -> np.ndarray:
        """Coordinates (count, nq) that the joint may have, from random numbers of that shape."""
        return numbers

    @property
    def turn(self) -> tuple[str, int, int] | None:
        """A rotation chart with singularities, and the range of its coordinates, or None."""
        return None


@final
@dataclass(frozen=True, eq=False)
class FlatCoordinates(Coordinates):
    """Coordinates with q̇ = v and a spring of energy ½ Σ k (q − rest)².

    ``labels`` and ``units`` of the coordinates; ``refusal``: why no start may be given, where none may.
    """

    labels: tuple[str, ...]
    units: tuple[str, ...]
    refusal: str = ""

    @property
    def q_labels(self) -> tuple[str, ...]:
        return self.labels

    @property
    def q_units(self) -> tuple[str, ...]:
        return self.units

    @property
    def v_labels(self) -> tuple[str, ...]:
        return self.labels

    @property
    def v_units(self) -> tuple[str, ...]:
        return tuple(f"{unit}/s" for unit in self.units)

    @property
    def identity(self) -> tuple[float, ...]:
        return (0.0,) * self.nv

    def rates(self, q, v) -> np.ndarray:
        return v

    def velocities(self, q, q_dot) -> np.ndarray:
        return q_dot

    def position(self, where: str, given) -> np.ndarray:
        if self.refusal:
            if np.size(given):
                raise StartError(self.refusal)
            return np.zeros(0)
        if isinstance(given, Pose):
            raise StartError(
                f"{where} takes {self.nq} number{'s' * (self.nq != 1)} ({', '.join(self.q_units)}), not a pose"
            )
        array = np.atleast_1d(entries(f"{where}: position", given))
        if array.shape != (self.nq,):
            raise StartError(f"{where} has {self.nq} coordinate{'s' * (self.nq != 1)}, got {given!r}")
        return array

    def spring_energy(self, stiffness, rest, q):
        return 0.5 * (stiffness @ ((q - rest) * (q - rest))) if self.nv else 0.0

    def spring_force(self, stiffness, rest, q) -> np.ndarray:
        return -stiffness * (q - rest)

    def chart_defect(self, q):
        return None


@final
@dataclass(frozen=True, eq=False)
class TurningCoordinates(Coordinates):
    """A rotation chart, after a position (x, y, z) where ``placed``; velocities end with the angular velocity of the child in its axes.

    ``base``: a constant rotation (3, 3) that the chart's rotation follows, where a run has laid the chart anew; None for none.
    """

    chart: Chart
    placed: bool
    base: np.ndarray | None = None

    @property
    def q_labels(self) -> tuple[str, ...]:
        return ("x", "y", "z", *(f"q{label}" for label in self.chart.labels)) if self.placed else self.chart.labels

    @property
    def q_units(self) -> tuple[str, ...]:
        turned = ("1" if self.chart.name in ("quaternion", "fedorov") else "rad",) * self.chart.size
        return ("m",) * (3 * self.placed) + turned

    @property
    def v_labels(self) -> tuple[str, ...]:
        return ("vx", "vy", "vz") * self.placed + ("wx", "wy", "wz")

    @property
    def v_units(self) -> tuple[str, ...]:
        return ("m/s",) * (3 * self.placed) + ("rad/s",) * 3

    @property
    def identity(self) -> tuple[float, ...]:
        return (0.0,) * (3 * self.placed) + tuple(self.chart.identity)

    def rates(self, q, v) -> np.ndarray:
        turning = self.chart.D_inverse(q[-self.chart.size :]) @ v[-3:]
        return np.concatenate([self.matrix(q) @ v[:3], turning]) if self.placed else turning

    def velocities(self, q, q_dot) -> np.ndarray:
        turning = self.chart.D(q[-self.chart.size :]) @ q_dot[-self.chart.size :]
        return np.concatenate([self.matrix(q).T @ q_dot[:3], turning]) if self.placed else turning

    def position(self, where: str, given) -> np.ndarray:
        if not self.placed:
            return attitude(where, self.chart, given)
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

    def matrix(self, q) -> np.ndarray:
        """Rotation of the joint at its coordinates q, (3, 3)."""
        R = self.chart.matrix(q[-self.chart.size :])
        return R if self.base is None else self.base @ R

    def spring_energy(self, stiffness, rest, q):
        R_rest = self.chart.matrix(rest[-self.chart.size :])
        turned = ball_energy(stiffness[-3], R_rest, self.matrix(q))
        if not self.placed:
            return turned
        offset = q[:3] - rest[:3]
        return 0.5 * (stiffness[:3] @ (offset * offset)) + turned

    def spring_force(self, stiffness, rest, q) -> np.ndarray:
        R = self.matrix(q)
        torque = ball_torque(stiffness[-3], self.chart.matrix(rest[-self.chart.size :]), R)
        return np.concatenate([-R.T @ (stiffness[:3] * (q[:3] - rest[:3])), torque]) if self.placed else torque

    def chart_defect(self, q) -> Any:
        turned = q[-self.chart.size :]
        return dot(turned, turned) - 1.0 if self.chart.name == "quaternion" else None

    @property
    def turn(self) -> tuple[str, int, int] | None:
        return (self.chart.name, self.nq - self.chart.size, self.nq) if self.chart.name != "quaternion" else None


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
            f"of shape {array.shape}; a 3×3 rotation matrix, as vinculum.screws.rotation(axis, angle), or a vc.Pose will also do"
        )
    if chart.name == "quaternion":
        known = np.asarray(value(array))
        if not norm(known) > 0.0:
            raise StartError(
                f"{where}: quaternion {known.tolist()} has norm 0 and is not a rotation; the identity is (1, 0, 0, 0)"
            )
        return array / norm(array)
    return _regular(where, chart, array)


def _regular(where: str, chart: Chart, array: np.ndarray) -> np.ndarray:
    """Coordinates, refused at a singularity of their chart."""
    known = np.asarray(value(array))
    if chart.condition(known) < CHART_STARTS:
        raise StartError(
            f"{where}: {known.tolist()} is a singularity of the chart '{chart.name}' (a joint that is not named "
            "starts at zero); use chart='quaternion'"
        )
    return array


def ball_energy(stiffness, R_rest, R):
    """Energy k (1 − cos θ) = ½ k (3 − tr R) of a ball spring turned by θ: linear in θ when small, smooth in every chart."""
    return 0.5 * stiffness * (3.0 - np.sum(R_rest * R))


def ball_torque(stiffness, R_rest, R) -> np.ndarray:
    """Torque −k sin θ n of the ball spring, in the body's axes."""
    return -stiffness * axial(R_rest.T @ R)
