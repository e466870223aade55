"""Checks of a constraint when it is added to a system."""

from collections.abc import Mapping

from vinculum.bodies import GROUND, Body
from vinculum.bonds import Constraint, Joint
from vinculum.bonds.body_view import NO_ACCELERATION, change_view
from vinculum.scalars import symbols
from vinculum.systems.actions_in_tree import free_views
from vinculum.systems.constraint_rows import NO_VELOCITY
from vinculum.systems.views import JointView, ground_view


def check_constraint(constraint: Constraint, bodies: Mapping[str, Body], joints: Mapping[str, Joint]) -> None:
    """Refuse a constraint whose function cannot be traced, returns no numbers, or never vanishes."""
    level = constraint.level
    free = free_views([bodies.get(name) for name in constraint.names])
    views = []
    for name, moving in zip(constraint.names, free.moving, strict=True):
        if name in joints:
            views.append(_joint(joints[name], level))
            continue
        view = ground_view() if name == GROUND else moving
        view = change_view(view, motion=NO_VELOCITY) if level == 0 else view
        rates = (symbols("acceleration", 3), symbols("angular acceleration", view._state.kinematics.count))
        views.append(change_view(view, motion_rate=rates) if level == 2 else view)
    constraint.rows(views, free.t)


def _joint(joint: Joint, level: int) -> JointView:
    q, v, a = symbols("q", joint.nq), symbols("v", joint.nv), symbols("a", joint.nv)
    one = joint.nv == 1
    return JointView(
        joint.name,
        q[0] if joint.nq == 1 else q,
        v[0] if one else v,
        NO_ACCELERATION if level < 2 else a[0] if one else a,
    )
