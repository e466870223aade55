"""Views of a tree's bodies and joints at one instant."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.bodies import GROUND
from vinculum.bonds import BodyView
from vinculum.bonds.body_view import NO_ACCELERATION, make_view
from vinculum.errors import ModelError
from vinculum.scalars.math import cross
from vinculum.screws import Pose
from vinculum.systems.kinematics import Placement
from vinculum.systems.tree import Link


@final
@dataclass(frozen=True, eq=False)
class JointView:
    """A joint at one instant: its name, its own coordinates and velocities (numbers if there is one, else arrays).

    ``v_dot``: rates of the velocities, or the reason why they are not available."""

    name: str
    q: Any
    v: Any
    v_dot: Any = NO_ACCELERATION

    def __getattr__(self, what: str):
        raise AttributeError(
            f"joint '{object.__getattribute__(self, 'name')}' has no {what!r} here: it has q, v and name, and a in constraints on "
            "accelerations; name a body where positions are needed"
        )

    @property
    def a(self) -> Any:
        """Rates of its velocities, in constraints on accelerations."""
        if isinstance(self.v_dot, str):
            raise ModelError(f"a of joint '{self.name}' was asked for, but {self.v_dot}")
        return self.v_dot


def body_view(link: Link, at: Placement) -> BodyView:
    """The view of the body of ``link``."""
    if at.inner is not None:
        K, w = at.inner
        return make_view(link.body.name, link.mass, Pose.of(K, at.X_WL.p), link.com, (at.v, w), body=link.body)
    R = at.X_WL.R
    velocity = R @ (at.v + cross(at.w, link.X_LB.p))
    return make_view(link.body.name, link.mass, at.X_WL @ link.X_LB, link.com, (velocity, R @ at.w),
                    body=link.body)  # fmt: skip


def ground_view() -> BodyView:
    """The view of the fixed frame."""
    return make_view(GROUND, 0.0, Pose.of(np.eye(3), np.zeros(3)), np.zeros(3), (np.zeros(3), np.zeros(3)))


def joint_view(link: Link, q, v, a=None) -> JointView:
    """The view of the joint of ``link``, with the rates ``a`` of all velocities if known."""
    own_q, own_v = q[link.q], v[link.v]
    rates = NO_ACCELERATION if a is None else a[link.v][0] if link.joint.nv == 1 else a[link.v]
    return JointView(
        link.joint.name, own_q[0] if link.joint.nq == 1 else own_q, own_v[0] if link.joint.nv == 1 else own_v, rates
    )
