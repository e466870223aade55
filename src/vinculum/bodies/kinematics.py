"""How a body carries its points: x = r + K a with a matrix K (3, 3). No other code asks for the kind of a body."""

from abc import ABC, abstractmethod
from typing import Any, final

import numpy as np

from vinculum.scalars import symbols
from vinculum.scalars.math import cross
from vinculum.screws.rotation_derivatives import rotation_gradient


class BodyKinematics(ABC):
    r"""The place of a body is (r, K), its motion is (ṙ, w): the numbers w make K̇. An effort on it is (f, m) with the power f · ṙ + m · w.

    .. math:: x = r + K a,\qquad \dot x = \dot r + \dot K(w)\,a

    ``turns``: whether it has a rotation; ``deforms``: whether K is more than a rotation; ``is_planar``: whether it stays in the x-y plane.
    """

    turns: bool
    deforms: bool = False
    is_planar: bool = False
    material_dimension: int = 3
    count: int = 3
    """Number of the numbers w."""

    @abstractmethod
    def symbolic_matrix(self, name: str) -> np.ndarray:
        """K with symbols for the entries that are free."""

    @abstractmethod
    def free_entries(self, K) -> list:
        """The entries of K that are free, in order."""

    @abstractmethod
    def whole(self, entries) -> np.ndarray:
        """K (3, 3) from its free entries."""

    @abstractmethod
    def matrix_rate(self, K, w) -> np.ndarray:
        """K̇ (3, 3) at the motion w."""

    @abstractmethod
    def gradient(self, P, K) -> np.ndarray:
        """m (count,) with dΣ/dt = m · w, of a function Σ(K) whose derivatives are P = ∂Σ/∂K (3, 3)."""

    @abstractmethod
    def moment(self, K, m) -> np.ndarray:
        """Moment (3,) [N m] about the origin, in world axes, of an effort (f, m)."""

    def moment_size(self, K, m) -> Any:
        """Size [N m] of the terms of the moment that may cancel, where the moment is made of several."""
        return 0.0

    @abstractmethod
    def lever(self, K, p_B, force) -> np.ndarray:
        """m (count,) of a force at the material point ``p_B``."""

    @abstractmethod
    def couple(self, name: str, moment) -> np.ndarray:
        """m (count,) of a pure moment (3,); a body that takes none refuses it."""

    def pulled_back(self, K, arm) -> np.ndarray:
        """The material point (3,) that is at ``arm`` from the origin."""
        return self.inverse(K) @ arm

    @abstractmethod
    def inverse(self, K) -> np.ndarray:
        """The matrix (3, 3) that takes arms back to material points."""

    def ball_end(self, K, n) -> np.ndarray:
        """The point x (3,) with the largest n · x of a unit ball about the origin as the body carries it; n is a unit vector."""
        return n

    def momentum_rate(self, w, p) -> Any:
        """What the change of axes adds to ṁ of a momentum p conjugate to w: zero where w are rates of coordinates."""
        return np.zeros(self.count)


@final
class PointKinematics(BodyKinematics):
    """A mass point: its place is r alone."""

    turns = False

    def symbolic_matrix(self, name: str) -> np.ndarray:
        return np.eye(3)

    def free_entries(self, K) -> list:
        return []

    def whole(self, entries) -> np.ndarray:
        return np.eye(3)

    def matrix_rate(self, K, w) -> np.ndarray:
        return np.zeros((3, 3))

    def gradient(self, P, K) -> np.ndarray:
        return np.zeros(3)

    def moment(self, K, m) -> np.ndarray:
        return m

    def lever(self, K, p_B, force) -> np.ndarray:
        return cross(p_B, force)

    def couple(self, name: str, moment) -> np.ndarray:
        return moment

    def inverse(self, K) -> np.ndarray:
        return np.eye(3)


@final
class RigidKinematics(BodyKinematics):
    """A rigid body: K is its rotation and w its angular velocity in world axes."""

    turns = True

    def symbolic_matrix(self, name: str) -> np.ndarray:
        return symbols(f"R of {name} ", 9).reshape(3, 3)

    def free_entries(self, K) -> list:
        return np.ravel(K).tolist()

    def whole(self, entries) -> np.ndarray:
        return np.asarray(entries).reshape(3, 3)

    def matrix_rate(self, K, w) -> np.ndarray:
        return np.stack([cross(w, K[:, k]) for k in range(3)], axis=1)

    def gradient(self, P, K) -> np.ndarray:
        return rotation_gradient(P, K)

    def moment(self, K, m) -> np.ndarray:
        return m

    def lever(self, K, p_B, force) -> np.ndarray:
        return cross(K @ p_B, force)

    def couple(self, name: str, moment) -> np.ndarray:
        return moment

    def inverse(self, K) -> np.ndarray:
        return K.T

    def momentum_rate(self, w, p) -> Any:
        return cross(w, p)


POINT, RIGID = PointKinematics(), RigidKinematics()
