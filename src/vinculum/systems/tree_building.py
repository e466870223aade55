"""`build_tree`: the tree of a system from its bodies and joints, each link in the working frame that makes its joint simplest."""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace

import numpy as np

from vinculum.bodies import GROUND, Body, PrescribedBody
from vinculum.bonds import Action, Bonds, Joint, Prescribed, end_name
from vinculum.bonds.joints import free_joint, with_child
from vinculum.errors import ModelError
from vinculum.scalars import symbol
from vinculum.screws import L_wr, Pose
from vinculum.systems.actions_in_tree import Acting, ActingRows
from vinculum.systems.frames import Normal, Screw, common_normal, is_identity, is_numeric, tidy_pose
from vinculum.systems.loops import child_name, parent_name, spanning_tree
from vinculum.systems.tree import Closure, Link, Tree
from vinculum.tolerances.round_off import QUARTER_TURN


def build_tree(
    name: str,
    gravity,
    bodies: Mapping[str, Body],
    joints: Mapping[str, Joint],
    actions: Sequence[Action | Bonds] = (),
    alike: Mapping[str, str] | None = None,
) -> Tree:
    """The links of a system in order, and the joints that close loops of them.

    ``alike``: bodies that are copies of another, by name."""
    if not bodies:
        raise ModelError(f"system '{name}' has no bodies; add one with system.add(vc.RigidBody(…))")
    driven = {b.name: Prescribed(b.name, GROUND, b) for b in bodies.values() if isinstance(b, PrescribedBody)}
    carrier, closing = spanning_tree(list(joints.values()), driven)
    free: dict[str, Joint] = {}
    like: dict[str, str] = {}
    for body in bodies.values():
        if body.name in carrier:
            continue
        first = (alike or {}).get(body.name, body.name)
        known = free.get(first)
        if known is None:
            carrier[body.name] = free[first] = free_joint(body)
        else:
            carrier[body.name], like[body.name] = with_child(known, body), known.name
    order = _outwards(list(bodies), carrier)
    tree = _link_tree(name, gravity, [(bodies[b], carrier[b]) for b in order], like)
    closures = tuple(_closure(tree, joint) for joint in closing)
    count = sum(6 - joint.nv for joint in closing)
    places = tree.bodies
    acting = tuple(_acting(a, places) for a in actions)
    return replace(tree, closures=closures, kept=tuple(range(count)), rank=count, acting=acting)


def _acting(action: Action | Bonds, places: Mapping[str, int]) -> Acting | ActingRows:
    if isinstance(action, Bonds):
        return ActingRows(action, action.ends(places))
    return Acting(action, tuple(places.get(end_name(end), -1) for end in action.ends))


def _closure(tree: Tree, joint: Joint) -> Closure:
    parent, child = tree.bodies.get(parent_name(joint), -1), tree.bodies[child_name(joint)]
    X_LB = tree.links[parent].X_LB if parent >= 0 else Pose()
    return Closure(
        joint,
        parent,
        child,
        X_LB @ joint.at @ joint.kind.alignment,
        tree.links[child].X_LB @ joint.to @ joint.kind.alignment,
    )


def _link_tree(name: str, gravity, carried: list[tuple[Body, Joint]], like: Mapping[str, str]) -> Tree:
    """Links in working frames: those of joints with an axis are laid along common normals where that is possible.

    ``like``: free bodies that are copies of another free one, by name."""
    index = {body.name: i for i, (body, _) in enumerate(carried)}
    first = [index[like[body.name]] if body.name in like else i for i, (body, _) in enumerate(carried)]
    parents = [index.get(parent_name(joint), -1) for _, joint in carried]
    given_LB: list[Pose] = []
    given_PJ: list[Pose] = []
    axial: list[bool] = []
    for i, (p, (_, joint)) in enumerate(zip(parents, carried, strict=True)):
        if first[i] < i:
            given_LB.append(given_LB[first[i]])
            given_PJ.append(given_PJ[first[i]])
            axial.append(axial[first[i]])
            continue
        given_LB.append((joint.to @ joint.kind.alignment).inverse())
        given_PJ.append((given_LB[p] if p >= 0 else Pose()) @ joint.at @ joint.kind.alignment)
        numeric = is_numeric(given_PJ[i]) and is_numeric(given_LB[i])
        axial.append(joint.kind.absorb(0.0, 0.0) is not None and numeric)
    outer: dict[int, Screw] = {}
    normals: dict[int, Normal] = {}
    for i, p in enumerate(parents):
        if p >= 0 and axial[i] and axial[p]:
            normals[i] = common_normal(given_PJ[i], outer[p].shift if p in outer else 0.0)
            outer.setdefault(p, normals[i].parent)
    inner = [normals[i].child if i in normals else Screw() for i in range(len(carried))]
    frames = [outer.get(i, inner[i]) if axial[i] else None for i in range(len(carried))]
    links: list[Link] = []
    q = v = 0
    for i, (body, joint) in enumerate(carried):
        nq, nv = joint.nq, joint.nv
        if first[i] < i:
            links.append(_copy_link(links[first[i]], i, body, joint, slice(q, q + nq), slice(v, v + nv)))
            q, v = q + nq, v + nv
            continue
        p, frame = parents[i], frames[i]
        offset, left, X_LB = np.zeros(joint.nq), Pose(), given_LB[i]
        if frame is not None:
            offset, left = _absorb(joint, frame.turn - inner[i].turn, frame.shift - inner[i].shift)
            X_LB = tidy_pose(frame.pose().inverse() @ X_LB)
        before = _before(given_PJ[i], normals.get(i), frames[p] if p >= 0 else None)
        links.append(Link(i, body, joint, p, before, offset, () if is_identity(left) else (left,), X_LB, X_LB.apply(body.center),
                          X_LB.R @ body.inertia_at_center @ X_LB.R.T, slice(q, q + joint.nq),
                          slice(v, v + joint.nv), body.mass, body.mechanics.inner, _extra_inertia(body, X_LB)))  # fmt: skip
        q, v = q + joint.nq, v + joint.nv
    placed = q
    for link in links:
        if link.body.mechanics.varying is not None:
            links[link.index] = replace(link, mass_place=q).with_mass(symbol(f"mass of {link.body.name}"))
            q += 1
    return Tree(name, gravity, tuple(links), q, v, placed=placed)


def _copy_link(link: Link, index: int, body: Body, joint: Joint, q: slice, v: slice) -> Link:
    """The link of a body that is a copy of another one's; as `replace`, but without reading all fields again."""
    other = copy(link)
    for what, x in (("index", index), ("body", body), ("joint", joint), ("q", q), ("v", v), ("like", link.index)):
        object.__setattr__(other, what, x)
    return other


def _extra_inertia(body: Body, X_LB: Pose) -> np.ndarray | None:
    """The extra inertia of a body at the origin of its link and in its axes: L_wr Θ L_wrᵀ."""
    if body.mechanics.extra_inertia is None:
        return None
    carried = L_wr(X_LB)
    return carried @ body.mechanics.extra_inertia @ carried.T


def _absorb(joint: Joint, turn: float, shift: float) -> tuple[np.ndarray, Pose]:
    """Offset and constant pose after a joint; quarter turns stay in the pose, where their zeros and ones are exact."""
    quarters = np.rint(turn / (np.pi / 2)) * (np.pi / 2)
    turned = abs(turn - quarters) < QUARTER_TURN
    absorbed = joint.kind.absorb(0.0 if turned else turn, shift)
    assert absorbed is not None
    offset, left = absorbed
    return offset, left @ Screw(quarters if turned else 0.0).pose()


def _before(X_PJ: Pose, normal: Normal | None, outer: Screw | None) -> tuple[Pose, ...]:
    """Constant poses from the parent's link frame to the joint's, sparse ones where the frames allow it."""
    if normal is None:
        moved = X_PJ if outer is None else outer.pose().inverse() @ X_PJ
        return (tidy_pose(moved),)
    assert outer is not None
    along = Screw(normal.parent.turn - outer.turn, normal.parent.shift - outer.shift).pose()
    return tuple(X for X in (along, normal.between()) if not is_identity(X))


def _outwards(bodies: list[str], carrier: Mapping[str, Joint]) -> list[str]:
    order: list[str] = []
    placed = {GROUND}
    waiting = list(bodies)
    while waiting:
        left = []
        for body in waiting:
            if parent_name(carrier[body]) in placed:
                order.append(body)
                placed.add(body)
            else:
                left.append(body)
        waiting = left
    return order
