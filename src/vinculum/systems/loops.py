"""Which joints have coordinates, and which close loops."""

from collections.abc import Mapping, Sequence

from vinculum.bodies import GROUND
from vinculum.bonds import Joint
from vinculum.bonds.joints.joint import compliance_of
from vinculum.errors import ModelError


def spanning_tree(joints: Sequence[Joint], driven: Mapping[str, Joint]) -> tuple[dict[str, Joint], list[Joint]]:
    """The joint with coordinates of each body, and the remaining joints, which close loops.

    Joints with a spring, a damper or a drive need coordinates, so they are taken first; then those that came first. A body
    that no joint carries is free. ``driven``: what carries the prescribed bodies, before all others.
    """
    carrier: dict[str, Joint] = dict(driven)
    closing: list[Joint] = []
    for joint in sorted(joints, key=lambda j: not _needs_coordinates(j)):
        if child_name(joint) in carrier or _root(carrier, parent_name(joint)) == child_name(joint):
            if _needs_coordinates(joint) and child_name(joint) in driven:
                raise ModelError(
                    f"joint '{joint.name}': its child '{child_name(joint)}' is prescribed, so the joint gets no coordinates, which its "
                    "spring, damper, drive or axis with parameters needs; write the prescribed body as the parent"
                )
            if _needs_coordinates(joint):
                loop = _loop(carrier, joint)
                raise ModelError(
                    f"joint '{joint.name}' closes a loop of {loop}, all of which have springs, damping, drives or an axis with "
                    "parameters; one joint of a loop must do without, since it gets no coordinates of its own"
                )
            closing.append(joint)
        else:
            carrier[child_name(joint)] = joint
    return carrier, [joint for joint in joints if joint in closing]


def parent_name(joint: Joint) -> str:
    """Name of the body that carries, or of the ground."""
    return joint.parent if isinstance(joint.parent, str) else joint.parent.name


def child_name(joint: Joint) -> str:
    """Name of the body that is carried."""
    return joint.child if isinstance(joint.child, str) else joint.child.name


def _needs_coordinates(joint: Joint) -> bool:
    return compliance_of(joint).acts or joint.kind.has_open_axis


def _root(carrier: dict[str, Joint], body: str) -> str:
    """The body at the inner end of the chain that carries a body, or the ground."""
    while body in carrier:
        body = parent_name(carrier[body])
    return body


def _path(carrier: dict[str, Joint], body: str) -> list[str]:
    path = []
    while body in carrier and body != GROUND:
        path.append(carrier[body].name)
        body = parent_name(carrier[body])
    return path


def _loop(carrier: dict[str, Joint], joint: Joint) -> list[str]:
    """Names of the joints of a loop."""
    one, other = _path(carrier, parent_name(joint)), _path(carrier, child_name(joint))
    return [*(n for n in reversed(one) if n not in other), joint.name, *(n for n in other if n not in one)]
