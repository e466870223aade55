"""What a user's function sees of a body or a joint: the same names for floats, symbols and whole motions."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.scalars import vector
from vinculum.scalars.math import cross
from vinculum.systems.kinematics import Placement
from vinculum.systems.tree import Link


@final
@dataclass(frozen=True, eq=False)
class BodyView:
    """A body at one instant, in world axes."""

    link: Link
    placement: Placement

    @property
    def rotation(self) -> np.ndarray:
        """R_WB, (3, 3)."""
        return self.placement.X_WL.R @ self.link.X_LB.R

    @property
    def position(self) -> np.ndarray:
        """The body's origin, (3,) [m]."""
        return self.placement.X_WL.apply(self.link.X_LB.p)

    @property
    def center(self) -> np.ndarray:
        """The mass centre, (3,) [m]."""
        return self.placement.X_WL.apply(self.link.center)

    @property
    def velocity(self) -> np.ndarray:
        """Velocity of the body's origin, (3,) [m/s]."""
        return self._velocity_at(self.link.X_LB.p)

    @property
    def center_velocity(self) -> np.ndarray:
        """Velocity of the mass centre, (3,) [m/s]."""
        return self._velocity_at(self.link.center)

    @property
    def angular_velocity(self) -> np.ndarray:
        """(3,) [rad/s], in world axes."""
        return self.placement.X_WL.R @ self.placement.w

    def point(self, p_B) -> np.ndarray:
        """World position of the material point ``p_B``, given in the body's own frame."""
        return self.position + self.rotation @ vector(p_B)

    def _velocity_at(self, r_L) -> np.ndarray:
        return self.placement.X_WL.R @ (self.placement.v + cross(self.placement.w, r_L))


@final
@dataclass(frozen=True, eq=False)
class JointView:
    """A joint at one instant: its own coordinates and velocities (numbers if there is one, else arrays)."""

    q: Any
    v: Any


def joint_view(link: Link, q, v) -> JointView:
    """The view of the joint that carries ``link``."""
    own_q, own_v = q[link.q], v[link.v]
    return JointView(own_q[0] if link.joint.nq == 1 else own_q, own_v[0] if link.joint.nv == 1 else own_v)
