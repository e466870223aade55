"""The joint of a free body that deforms: a translation, and the entries of its deformation."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.bodies import Body
from vinculum.bodies.affine.kinematics import AffineKinematics
from vinculum.bonds.joints.coordinates import Coordinates
from vinculum.bonds.joints.gaps import Gap
from vinculum.bonds.joints.joint import Joint
from vinculum.bonds.joints.kind import JointKind
from vinculum.errors import ModelError, StartError
from vinculum.scalars import Value, value
from vinculum.screws import Pose
from vinculum.screws.entries import entries


@final
@dataclass(frozen=True, eq=False)
class DeformingCoordinates(Coordinates):
    """Position of the mass center and the free entries of φ, row after row; v are their rates."""

    kinematics: AffineKinematics

    @property
    def _axes(self) -> str:
        return "xyz"[: self.kinematics.rows]

    @property
    def _shape(self) -> tuple[int, int]:
        return self.kinematics.rows, self.kinematics.dimension

    @property
    def q_labels(self) -> tuple[str, ...]:
        rows, columns = self._shape
        return (*self._axes, *(f"F{i + 1}{k + 1}" for i in range(rows) for k in range(columns)))

    @property
    def q_units(self) -> tuple[str, ...]:
        return ("m",) * len(self._axes) + ("1",) * self.kinematics.count

    @property
    def v_labels(self) -> tuple[str, ...]:
        return self.q_labels

    @property
    def v_units(self) -> tuple[str, ...]:
        return tuple(f"{unit}/s" for unit in self.q_units)

    @property
    def identity(self) -> tuple[float, ...]:
        return (*(0.0,) * len(self._axes), *np.eye(3)[: self._shape[0], : self._shape[1]].ravel().tolist())

    def rates(self, q, v) -> np.ndarray:
        return v

    def velocities(self, q, q_dot) -> np.ndarray:
        return q_dot

    def position(self, where: str, given) -> np.ndarray:
        place, F = self._parts(where, given, "position", np.eye(3))
        self._check_deformation(where, np.asarray(value(F), dtype=float))
        return np.concatenate([place, F.ravel()])

    def rate(self, where: str, given) -> np.ndarray:
        velocity, F_dot = self._parts(where, given, "rate", np.zeros((3, 3)))
        return np.concatenate([velocity, F_dot.ravel()])

    def _parts(self, where: str, given, what: str, other: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Place or velocity (rows,), and deformation or its rate (rows, dimension)."""
        rows, columns = self._shape
        if isinstance(given, Pose):
            given = (given.p, given.R)
        if isinstance(given, (tuple, list)) and len(given) == 2 and np.ndim(given[1]) > 0:
            place = entries(f"{where}: {what}", given[0], (3,), (rows,), refusal=StartError)
            F = entries(f"{where}: deformation", given[1], (3, 3), (rows, columns), refusal=StartError)
        else:
            array = entries(f"{where}: {what}", given, refusal=StartError)
            if array.shape not in ((3,), (rows,), (self.nq,)):
                raise StartError(
                    f"{where} deforms: its {what} is a pair of {rows} numbers and a {rows}×{columns} matrix, {rows} "
                    f"numbers, or all {self.nq} "
                    f"({', '.join(self.q_labels)}), got {given!r}"
                )
            whole = array.shape == (self.nq,) and self.nq not in (3, rows)
            place = array[:rows] if whole else array
            F = array[rows:].reshape(rows, columns) if whole else other
        self._check_plane(where, what, place, F)
        return np.asarray(place)[:rows], np.asarray(F)[:rows, :columns]

    def _check_plane(self, where: str, what: str, place, F) -> None:
        """Refuse numbers out of the plane of a planar body."""
        if not self.kinematics.is_planar:
            return
        out = [*np.ravel(value(place))[2:], *(np.ravel(value(F[:2, 2:])) if F.shape == (3, 3) else ())]
        if np.any(np.asarray(out, dtype=float)):
            raise StartError(f"{where} is planar, but its {what} leaves the x-y plane; give zeros there")

    def _check_deformation(self, where: str, F: np.ndarray) -> None:
        size = float(np.linalg.det(F)) if F.shape[0] == F.shape[1] else float(np.sqrt(max(np.linalg.det(F.T @ F), 0.0)))
        if not size > 0.0:
            raise StartError(
                f"{where}: the deformation {F.tolist()} has det φ = {size:g}, but a body cannot be flattened or "
                "turned inside out: det φ > 0; "
                "exchange two columns, or give dimension= for a flat or rod-like body"
            )

    def runs(self, given) -> list | None:
        if not isinstance(given, (tuple, list)) or len(given) != 2:
            return None
        try:
            place, F = (np.asarray(part, dtype=float) for part in given)
        except (TypeError, ValueError):
            return None
        if F.ndim not in (2, 3) or place.ndim not in (1, 2):
            return None
        count = max(len(F) if F.ndim == 3 else 1, len(place) if place.ndim == 2 else 1)
        places = place if place.ndim == 2 else [place] * count
        deformations = F if F.ndim == 3 else [F] * count
        return list(zip(places, deformations, strict=True)) if len(places) == len(deformations) == count else None

    def sample(self, numbers: np.ndarray) -> np.ndarray:
        """Deformations with singular values from 0.7 to 1.3 and det φ > 0."""
        first, shape = len(self._axes), (len(numbers), *self._shape)
        W, sizes, V = np.linalg.svd(numbers[:, first:].reshape(shape), full_matrices=False)
        if shape[1] == shape[2]:
            W[:, :, -1] *= (np.linalg.det(W) * np.linalg.det(V))[:, None]
        F = (W * (0.7 + 0.6 * sizes / sizes[:, :1])[:, None]) @ V
        return np.concatenate([numbers[:, :first], F.reshape(len(numbers), -1)], axis=1)

    def spring_energy(self, stiffness, rest, q) -> Value:
        return 0.0

    def spring_force(self, stiffness, rest, q) -> np.ndarray:
        return np.zeros(self.nv)

    def chart_defect(self, q) -> Any:
        return None


@final
@dataclass(frozen=True, eq=False)
class DeformingKind(JointKind[DeformingCoordinates]):
    kinematics: AffineKinematics

    @property
    def coordinates(self) -> DeformingCoordinates:  # type: ignore[override]
        return DeformingCoordinates(self.kinematics)

    @property
    def inner(self) -> int:
        return self.kinematics.count

    def turned_coordinates(self, R: np.ndarray) -> tuple[np.ndarray, int] | None:
        rows, columns = self.kinematics.rows, self.kinematics.dimension
        Q = R[:rows, :rows]
        A = np.zeros((rows * (1 + columns), rows * (1 + columns)))
        A[:rows, :rows], A[rows:, rows:] = Q, np.kron(Q, np.eye(columns))
        return A, rows

    def inner_place(self, q) -> np.ndarray:
        return self.kinematics.whole(q[self.kinematics.rows :])

    def pose(self, q) -> Pose:
        place = q[:3] if self.kinematics.rows == 3 else np.array([q[0], q[1], 0.0], dtype=np.asarray(q).dtype)
        return Pose.of(np.eye(3), place)

    def subspace(self, q) -> np.ndarray:
        S = np.zeros((6, self.kinematics.rows + self.inner))
        S[: self.kinematics.rows, : self.kinematics.rows] = np.eye(self.kinematics.rows)
        return S

    def gaps(self, X: Pose) -> list[Gap]:
        return []

    def sides(self, X: Pose) -> list:
        return []


@final
@dataclass(frozen=True, eq=False)
class Deforming(Joint):
    """The joint of a free body that deforms: coordinates (x, y, z) of its mass center and the entries of its deformation."""

    def _read_kind(self, where: str) -> JointKind:
        if not isinstance(self.child, Body) or not isinstance(self.child.mechanics.kinematics, AffineKinematics):
            raise ModelError(f"{where}: its child {self.child!r} does not deform; use vc.Free")
        return DeformingKind(self.child.mechanics.kinematics)
