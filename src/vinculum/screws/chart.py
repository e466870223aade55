"""The interface of rotation charts."""

from abc import ABC, abstractmethod

import numpy as np

from vinculum.errors import StartError
from vinculum.scalars import vector
from vinculum.screws.rotations import quaternion_of


class Chart(ABC):
    """Coordinates c of a rotation: its matrix and the link between their rates and the body's angular velocity.

    ``size`` is the number of coordinates, ``labels`` their names, ``identity`` the coordinates of no rotation.
    Cheremensky, On Concept of Mechanical System, section 2.2.4.
    """

    size: int
    labels: tuple[str, ...]
    identity: tuple[float, ...]

    @property
    @abstractmethod
    def name(self) -> str:
        """The word for `chart`."""

    @property
    @abstractmethod
    def center(self) -> tuple[float, ...]:
        """Coordinates of a rotation as far from any singularity as can be."""

    @abstractmethod
    def matrix(self, c) -> np.ndarray:
        """Rotation matrix (3, 3), from the child's components to the parent's."""

    @abstractmethod
    def D(self, c) -> np.ndarray:
        """Matrix (3, size) with ``omega_body = D @ c_dot``."""

    @abstractmethod
    def D_inverse(self, c) -> np.ndarray:
        """Matrix (size, 3) with ``c_dot = D_inverse @ omega_body``."""

    @abstractmethod
    def compose(self, a, b) -> np.ndarray:
        """Coordinates (size,) of the product of the matrices of a and b."""

    @abstractmethod
    def quaternion(self, c) -> np.ndarray:
        """Quaternion (4,) of the rotation, of length one where ``c`` is a point of the chart."""

    @abstractmethod
    def from_quaternion(self, q) -> np.ndarray:
        """Coordinates (size,) of the rotation of a quaternion (4,) of any length but zero."""

    @abstractmethod
    def condition(self, c) -> np.ndarray:
        """A number from 0 to 1 that vanishes where the chart is singular. ``c``: (..., size) numbers; result (...)."""

    def from_matrix(self, R) -> np.ndarray:
        """Coordinates (size,) of the rotation matrix ``R``, (3, 3) numbers."""
        return self.from_quaternion(quaternion_of(R))

    def coordinates(self, c) -> np.ndarray:
        """``c`` as an array (size,) of floats and symbols; another size is refused."""
        c = vector(c)
        if c.shape != (self.size,):
            raise StartError(
                f"chart '{self.name}' has {self.size} coordinates ({', '.join(self.labels)}), "
                f"got an array of shape {c.shape}"
            )
        return c
