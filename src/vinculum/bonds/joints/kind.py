"""The kinematics of a joint: a small table of functions of its coordinates. No other code asks for the type of a
joint."""

from abc import ABC, abstractmethod
from typing import Generic, TypeVar

import numpy as np

from vinculum.bodies import Path
from vinculum.bonds.joints.coordinates import Coordinates
from vinculum.bonds.joints.gaps import Gap
from vinculum.screws import Pose

C = TypeVar("C", bound=Coordinates, covariant=True)


class JointKind(ABC, Generic[C]):
    """The motion of a child relative to its parent. ``coordinates``: the meaning of q and v."""

    coordinates: C

    @property
    def alignment(self) -> Pose:
        """Pose of the joint's working frame in the frames ``at`` and ``to``; it aligns an axis with z."""
        return Pose()

    @property
    def has_open_axis(self) -> bool:
        """Whether an axis contains parameters, so that no working frame can be aligned with it."""
        return False

    @property
    def path(self) -> Path | None:
        """The prescribed motion of the child relative to the parent; None for joints with coordinates."""
        return None

    def turned_coordinates(self, R: np.ndarray) -> tuple[np.ndarray, int] | None:
        """The matrix A by which coordinates and velocities of a free body change in axes turned by R, if they are components along these
        axes, and how many of the first are its position; None where they are relative to the parent in another way."""
        return None

    @abstractmethod
    def pose(self, q) -> Pose:
        """Pose of the child's joint frame in the parent's, both working frames."""

    @abstractmethod
    def subspace(self, q) -> np.ndarray:
        """S(q) of shape (6, nv): the relative twist, in the child's joint frame, is S v."""

    def subspace_rate(self, q, v) -> np.ndarray:
        """Ṡ v, shape (6,)."""
        return np.zeros(6)

    @property
    def inner(self) -> int:
        """Number of its last velocities that move no frame, such as rates of a deformation; their columns of S are zero."""
        return 0

    def inner_place(self, q) -> np.ndarray | None:
        """The matrix (3, 3) that carries the points of a child that deforms."""
        return None

    @abstractmethod
    def gaps(self, X: Pose) -> list[Gap]:
        """Names and values of 6 − nv gaps. They vanish if the joint allows X, the pose of the child's working frame in
        the parent's."""

    @abstractmethod
    def sides(self, X: Pose) -> list:
        """Numbers that are positive where vanishing `gaps` mean a closed joint (a hinge mounted upside down has no
        gaps either)."""

    def absorb(self, turn: float, shift: float) -> tuple[np.ndarray, Pose] | None:
        """A constant rotation about z and translation along it after the joint, as an offset of its coordinates and a
        remainder.

        None for a joint that is not invariant under motions along and about its z axis.
        """
        return None

    def pass_on(self, mass, moment, about_origin) -> tuple[tuple, tuple] | None:
        """The inertia (mass, first moment, inertia about the origin) of a link in two parts: what it keeps, and what its
        parent may carry instead with the same equations of motion; None if that is nothing."""
        return None

    @property
    def drift(self) -> np.ndarray:
        """Relative twist (6,) at v = 0, in the child's joint frame: what time alone does."""
        return np.zeros(6) if self.path is None else self.path.twist

    @property
    def drift_rate(self) -> np.ndarray:
        """Time derivatives of the components of `drift`, (6,)."""
        return np.zeros(6) if self.path is None else self.path.twist_rate
