"""Efforts of servos in a tree: the joints and links they act on, and their number."""

from collections.abc import Mapping

from vinculum.bodies import Body
from vinculum.bonds import Action, Joint, Realization, end_name
from vinculum.errors import ModelError
from vinculum.scalars import Scalar
from vinculum.systems.actions_in_tree import Acting, AlongJoint, free_views
from vinculum.systems.tree import Tree


def directions_in(tree: Tree, where: str, realization: Realization, count: int) -> tuple[AlongJoint | Acting, ...]:
    """The efforts that keep ``count`` rows, one for each; a joint names one for each of its velocities."""
    found: list[AlongJoint | Acting] = []
    for one in realization.directions:
        if isinstance(one, Action):
            found.append(Acting(one, tuple(tree.bodies.get(end_name(end), -1) for end in one.ends)))
        else:
            found += _along(tree, where, one.name if isinstance(one, Joint) else one)
    if realization.directions and len(found) != count:
        raise ModelError(
            f"{where}: it has {count} row{'s' * (count != 1)} and its servo names {len(found)} effort{'s' * (len(found) != 1)}; name "
            "as many as there are rows (a joint counts once for each of its velocities)"
        )
    return tuple(found)


def check_unit_wrench(where: str, action: Action, bodies: Mapping[str, Body]) -> None:
    """Refuse a wrench that is zero wherever its bodies are."""
    free = free_views([bodies.get(end_name(end)) for end in action.ends])
    efforts = action.law.efforts_at(free.moving, free.t) or []
    if not any(isinstance(x, Scalar) or x != 0.0 for pair in efforts for part in pair for x in part):
        raise ModelError(
            f"{where}: {action.called} of its servo is zero and has no direction; give a force or a moment"
        )


def velocity_names(joint: Joint) -> list[str]:
    """Names of the single velocities of a joint that has several, as "plane.angle"."""
    return [f"{joint.name}.{label}" for label in joint.kind.coordinates.v_labels if label]


def _along(tree: Tree, where: str, name: str) -> list[AlongJoint]:
    if name in tree.closing_joints:
        raise ModelError(
            f"{where}: joint '{name}' closes a loop and has no velocities of its own; name the wrench of its drive between its bodies with "
            "vc.Servo(vc.Interaction(…))"
        )
    for link in tree.links:
        single = velocity_names(link.joint)
        if name in single and name not in tree.joints:
            return [AlongJoint(link.index, single.index(name))]
    link = tree.links[tree.joints[name]]
    if not link.joint.nv:
        raise ModelError(
            f"{where}: joint '{name}' has no velocity along which its servo could act; name another direction"
        )
    return [AlongJoint(link.index, k) for k in range(link.joint.nv)]
