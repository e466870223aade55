"""What a joint does: a small table of functions of its own coordinates. Nothing else in the house asks which joint it is."""

from abc import ABC, abstractmethod

import numpy as np

from vinculum.bodies import Path
from vinculum.bonds.joints.coordinates import Coordinates
from vinculum.bonds.joints.gaps import Gap
from vinculum.screws import Pose


class JointKind(ABC):
    """How a child may move against its parent. ``coordinates``: what q and v mean."""

    coordinates: Coordinates

    @property
    def alignment(self) -> Pose:
        """Pose of the joint's working frame in the frames that ``at`` and ``to`` place: it brings an axis onto z."""
        return Pose()

    @property
    def has_open_axis(self) -> bool:
        """Whether an axis holds parameters, so that no working frame can be laid along it."""
        return False

    @property
    def path(self) -> Path | None:
        """Where time alone moves the child against the parent, how; None for joints with coordinates of their own."""
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

    @abstractmethod
    def gaps(self, X: Pose) -> list[Gap]:
        """Names and values of 6 − nv numbers that vanish when X, the pose of the child's working frame in the parent's, is one
        that the joint allows."""

    @abstractmethod
    def sides(self, X: Pose) -> list:
        """Numbers that are positive on the side where vanishing `gaps` mean a closed joint (a hinge put on upside down has
        none either)."""

    def absorb(self, turn: float, shift: float) -> tuple[np.ndarray, Pose] | None:
        """A constant turn about z and shift along it after the joint, as an offset of its coordinates and what is left.

        None for a joint that does not work the same in every frame moved along and about its z axis.
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
