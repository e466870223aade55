"""Shapes of a tree of many blocks, as numbers, and the groups in which they meet."""

from collections.abc import Hashable
from typing import Any

import numpy as np

from vinculum.bodies.shape_pose import shape_frame
from vinculum.bonds.joints.compliance import argument_names
from vinculum.bonds.joints.joint import compliance_of
from vinculum.equations.applied import dissipative_forces, drive_forces
from vinculum.equations.contact.shape_places import inner_fields, screws_and_drifts, shaped_links
from vinculum.equations.observables.accelerations import motion
from vinculum.equations.recursions.composite import mass_matrix, solved_leaves_first
from vinculum.models.blocks_in_contact.block_shapes import BlockShapes
from vinculum.models.shapes.shape_arrays import plain_numbers, shape_numbers
from vinculum.models.shapes.tree_shapes import APART, walls_of
from vinculum.models.tabled.blocks import blocks_of
from vinculum.models.tabled.kinds import twists
from vinculum.scalars.differentiate import jacobian
from vinculum.systems import Link, Tree, placements
from vinculum.systems.contacts import is_same_wall


def block_shapes(tree: Tree) -> BlockShapes:
    """The shapes of a tree with contacts, and which of them meet by which laws."""
    chosen = shaped_links(tree)
    owners = {name: c for c in tree.contacts for name in c.names}
    walls = walls_of(tree)
    bodies = [tree.links[i].body for i in chosen]
    owned = [(owners[body.name], body.shape) for body in bodies]  # type: ignore[attr-defined]
    numbers = shape_numbers(owned, walls, [body.mechanics.kinematics.deforms for body in bodies])
    poses = [shape_frame(body) for body in bodies]
    place = {index: k for k, index in enumerate(chosen)}
    groups, laws_of = _groups(tree, [body.name for body in bodies], [wall for _, wall in walls])
    first = tree.contacts[0]
    return BlockShapes(
        numbers.kinds,
        numbers.sizes,
        numbers.reaches,
        numbers.places,
        numbers.turns,
        np.array(chosen, dtype=np.int64),
        plain_numbers(first, [pose.p for pose in poses]).reshape(-1, 3),
        plain_numbers(first, [pose.R for pose in poses]).reshape(-1, 3, 3),
        _moving_velocities(tree, chosen),
        np.array([place.get(tree.links[i].parent, -1) for i in chosen], dtype=np.int64),
        _closed_pairs(tree, place),
        groups,
        laws_of,
        np.array([contact.laws for contact in tree.contacts], dtype=float),
        np.array([contact.joined for contact in tree.contacts], dtype=bool),
        plain_numbers(first, tree.gravity),
        numbers.pool,
    )


def _closed_pairs(tree: Tree, place: dict[int, int]) -> np.ndarray:
    """Pairs of shapes (c, 2) of bodies that closing joints connect."""
    pairs = [(place.get(one.parent, -1), place.get(one.child, -1)) for one in tree.closures]
    return np.array([pair for pair in pairs if min(pair) >= 0], dtype=np.int64).reshape(-1, 2)


def _moving_velocities(tree: Tree, chosen: list[int]) -> np.ndarray:
    """Which velocities of its block move each shape, (s, w), as the kinds of blocks count them."""
    found: dict[int, list[int]] = {}
    for block in blocks_of(tree):
        begin, own = {}, 0
        for i in block:
            begin[i] = own
            own += tree.links[i].joint.nv
        for i in block:
            found[i] = [begin[j] + k for j in tree.path(i) for k in range(tree.links[j].joint.nv)]
    wide = 1 + max((max(found[i], default=0) for i in chosen), default=0)
    carried = np.zeros((len(chosen), wide), dtype=bool)
    for row, i in enumerate(chosen):
        carried[row, found[i]] = True
    return carried


def _groups(tree: Tree, names: list[str], walls: list) -> tuple[np.ndarray, np.ndarray]:
    """The group of every shape and wall, and the number of the laws of every two groups."""
    sides = [contact.sides for contact in tree.contacts]
    known: dict[Hashable, int] = {}
    groups = [known.setdefault(tuple((n in own, n in other) for own, other in sides), len(known)) for n in names]
    keys: list = list(known)
    groups += [len(keys) + k for k in range(len(walls))]
    laws_of = np.full((len(keys) + len(walls),) * 2, APART, dtype=np.int64)
    for number, contact in enumerate(tree.contacts):
        for a, one in enumerate(keys):
            for b, other in enumerate(keys):
                if (one[number][0] and other[number][1]) or (one[number][1] and other[number][0]):
                    laws_of[a, b] = number
            for k, wall in enumerate(walls):
                if one[number][0] and any(is_same_wall(wall, own) for own in contact.walls):
                    laws_of[a, len(keys) + k] = laws_of[len(keys) + k, a] = number
    return np.array(groups, dtype=np.int64), laws_of


def _screws(tree: Tree, q, v, t) -> dict:
    screws, drifts = screws_and_drifts(tree, q, v)
    for j, screw, _ in inner_fields(tree, placements(tree, q, v), range(len(tree.links))):
        screws[j] = screw
    return {"screws": screws.ravel(), "drifts": drifts.ravel()}


def _strains(tree: Tree, q, v, t) -> dict:
    """The strains (nv, 9) of the velocities of a block that deforms; nothing for others."""
    found = inner_fields(tree, placements(tree, q, v), range(len(tree.links)))
    strains = np.zeros((tree.nv if found else 0, 9), dtype=object)
    for j, _, strain in found:
        strains[j] = strain
    return {"strains": strains.ravel()}


def _mass(tree: Tree, q, v, t) -> dict:
    return {"mass": mass_matrix(tree, q).ravel()}


def _damping(tree: Tree, q, v, t) -> dict:
    """∂v̇/∂v (nv, nv) by the dissipation of a block that deforms, or by dampers and drives of joints; nothing for others."""
    mechanics = [link.body.mechanics for link in tree.links]
    if any(one.kinematics.deforms and one.dissipation is not None for one in mechanics):
        return {"damping": jacobian(motion(tree, q, v, t)["v_dot"], v).ravel()}
    if not any(_is_damped(link) for link in tree.links):
        return {"damping": np.zeros(0)}
    forces = dissipative_forces(tree, v) + drive_forces(tree, t, q, v)
    return {"damping": solved_leaves_first(mass_matrix(tree, q), jacobian(forces, v)).ravel()}


def _is_damped(link: Link) -> bool:
    """Whether forces of the joint of a link depend on its velocities."""
    own = compliance_of(link.joint)
    damper = own.damping.dtype == object or bool(own.damping.any())
    return damper or (own.drive is not None and "v" in argument_names(own.drive))


def _undamped_joints(tree: Tree, q, v, t) -> dict:
    """The same, but nothing for joints: what conditions take from impulses is found without damping."""
    deforms = any(link.body.mechanics.kinematics.deforms for link in tree.links)
    return _damping(tree, q, v, t) if deforms else {"damping": np.zeros(0)}


def _twists(tree: Tree, q, v, t) -> dict:
    """The twists (6 b, nv) of the velocities of a block; nothing for one that deforms, on which there are neither conditions nor unilateral
    constraints."""
    deforms = any(link.body.mechanics.kinematics.deforms for link in tree.links)
    return {"twists": np.zeros(0) if deforms else twists(tree, q, v).ravel()}


OUTPUTS_IN_CONTACT = {"screws": _screws, "strains": _strains, "mass": _mass, "damping": _damping}
"""Further tapes of the kinds of blocks in contact."""


def outputs_in_contact(conditioned: bool, bounded: bool) -> dict[str, Any]:
    """What makes these tapes, by name; with conditions or unilateral constraints also the twists (6 b, nv) of bodies that the velocities of
    a block make."""
    found = OUTPUTS_IN_CONTACT | ({"twists": _twists} if conditioned or bounded else {})
    return found | ({"damping": _undamped_joints} if conditioned else {})
