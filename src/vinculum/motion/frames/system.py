"""The description of a system in another inertial frame: what was bound to the ground is bound to a base that moves uniformly."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.bodies import PrescribedBody
from vinculum.bodies.body import body_in_frame
from vinculum.bonds import end_name
from vinculum.bonds.actions import own_actions
from vinculum.bonds.moving_base import (
    ViewsInFrame,
    action_on_base,
    constraint_on_base,
    impulse_in_frame,
    joint_on_base,
    unilateral_on_base,
)
from vinculum.errors import ModelError
from vinculum.measures.frames import ChangeOfFrame
from vinculum.systems.system import System
from vinculum.systems.tree import Link, Tree


@final
@dataclass(frozen=True, eq=False)
class StateMap:
    """How a state changes with the frame: q' = A q + (t − t₀) b + c and v' = B v + b at the places ``moving``.

    ``q`` A (nq, nq) and ``v`` B (nv, nv) are orthonormal; ``rate``, ``place``: b and c at the coordinates (nq,), ``speed``: b at the
    velocities (nv,).
    """

    q: np.ndarray
    v: np.ndarray
    rate: np.ndarray
    place: np.ndarray
    speed: np.ndarray


def system_in_frame(tree: Tree, frame: ChangeOfFrame) -> System:
    """The system of a tree in another inertial frame: joints, walls, dampers and fields that were bound to the ground are bound to a
    `PrescribedBody` that moves with the old frame. Free mass points and affine bodies stay free."""
    _check_frame(tree, frame)
    base, system = base_name(tree), System(tree.name, frame.rotation @ tree.gravity)
    joints = [link.joint.name for link in tree.links if link.joint.name != link.body.name]
    body = PrescribedBody(
        base, position=lambda t: frame.place + (t - frame.later) * frame.velocity, rotation=frame.rotation
    )
    system._bodies[base] = body
    own = set()
    for link in tree.links:
        changed = body_in_frame(link.body, ViewsInFrame(frame, f"body '{link.body.name}'"))
        system._bodies[link.body.name] = changed
        for action in own_actions(changed):
            system._actions[action.name] = action
            own.add(action.name)
        if link.joint.kind.path is None and not is_free_in(link):
            system._joints[link.joint.name] = joint_on_base(link.joint, base, frame)
    for closure in tree.closures:
        system._joints[closure.joint.name] = joint_on_base(closure.joint, base, frame)
    for acting in tree.actions:
        if acting.action.name not in own:
            system._actions[acting.action.name] = action_on_base(acting.action, base, frame.later)
    for one in tree.constraints:
        system._constraints[one.constraint.name] = constraint_on_base(one.constraint, base, frame, joints)
    for one in tree.unilaterals:
        system._unilaterals[one.unilateral.name] = unilateral_on_base(one.unilateral, base, frame, joints)
    for one in tree.impulses:
        system._impulses[one.impulse.name] = impulse_in_frame(one.impulse, frame, joints)
    if not _uses(system, base):
        del system._bodies[base]
    return system


def state_map(tree: Tree, frame: ChangeOfFrame) -> StateMap:
    """How states of a tree change with the frame: coordinates relative to the ground, which is now the base, stay."""
    A, B = np.eye(tree.nq), np.eye(tree.nv)
    rate, place, speed = np.zeros(tree.nq), np.zeros(tree.nq), np.zeros(tree.nv)
    for link in tree.links:
        if not is_free_in(link):
            continue
        found = link.joint.kind.turned_coordinates(frame.rotation)
        assert found is not None
        turned, count = found
        A[link.q, link.q], B[link.v, link.v] = turned, turned
        first = slice(link.q.start, link.q.start + count), slice(link.v.start, link.v.start + count)
        rate[first[0]], place[first[0]], speed[first[1]] = (
            x[:count] for x in (frame.velocity, frame.place, frame.velocity)
        )
    return StateMap(A, B, rate, place, speed)


def is_free_in(link: Link) -> bool:
    """Whether a body is free and its coordinates are components along the axes of the world."""
    free = link.parent < 0 and link.joint.name == link.body.name
    return free and link.joint.kind.turned_coordinates(np.eye(3)) is not None


def base_name(tree: Tree) -> str:
    """A name for the base that no body or bond has."""
    taken = {*tree.bodies, *tree.joints, *(c.joint.name for c in tree.closures), *(a.action.name for a in tree.actions)}
    taken |= {c.constraint.name for c in tree.constraints} | {u.unilateral.name for u in tree.unilaterals}
    taken |= {s.impulse.name for s in tree.impulses}
    names = ["base", *(f"base {k}" for k in range(2, len(taken) + 3))]
    return next(name for name in names if name not in taken)


def _uses(system: System, base: str) -> bool:
    """Whether a joint or a bond is bound to the base."""
    if any(base in (end_name(joint.parent), end_name(joint.child)) for joint in system._joints.values()):
        return True
    ends = [end_name(end) for action in system._actions.values() for end in action.ends]
    ends += [name for bond in (*system._constraints.values(), *system._unilaterals.values()) for name in bond.names]
    return base in ends


def _check_frame(tree: Tree, frame: ChangeOfFrame) -> None:
    """Refuse frames that planar bodies leave."""
    where = f"system '{tree.name}'"
    for link in tree.links:
        kind = link.body.mechanics.kinematics
        level = np.abs(frame.rotation[2] - np.eye(3)[2]).max() > 0.0 or frame.velocity[2] or frame.place[2]
        if kind.is_planar and level:
            raise ModelError(
                f"{where}: body '{link.body.name}' is planar and stays in the x-y plane, which the frame leaves; turn it about z alone, "
                "and leave z out of its velocity and shift"
            )
