"""Contact in a tree: free bodies alone run in a loop of their own, all others as parts of their tree."""

from dataclasses import fields, replace
from itertools import combinations
from typing import NamedTuple

import numpy as np

from vinculum.bodies import GROUND, Body
from vinculum.bonds import Contact, FixedSolid, HalfSpace, PairsWithin, TwoSidedPlane
from vinculum.bonds.unilaterals.impact_laws import SEQUENTIAL
from vinculum.errors import ModelError
from vinculum.measures.meshes.polytope import Polytope
from vinculum.measures.solids.base import Solid
from vinculum.measures.solids.corners import Corners
from vinculum.measures.solids.elementary import Box, Sphere
from vinculum.screws import Pose
from vinculum.systems.actions_in_tree import Acting
from vinculum.systems.bases import turning_links
from vinculum.systems.tree import Tree
from vinculum.systems.unilaterals import goes_over_tables
from vinculum.tolerances.sizes import MOST_VELOCITIES_IN_CONTACT, SHOWN_OF_REFUSED


def with_contacts(tree: Tree, contacts: list[Contact]) -> Tree:
    """The tree with its contacts, if any."""
    if not contacts:
        _check_in_turn(tree, ())
        return tree
    for contact in contacts:
        if GROUND in contact.names:
            raise ModelError(
                f"{contact.called}: 'ground' has no shape; give what stands still as walls=[vc.shapes.HalfSpace(normal, offset), …]"
            )
        for name in contact.names:
            body = tree.links[tree.bodies[name]].body
            contact.check_shape(f"body '{name}'", getattr(body, "shape", None))
            if isinstance(body.shape, Corners):  # type: ignore[attr-defined]
                raise ModelError(
                    f"{contact.called}: the corners of body '{name}' meet planes in vc.simulate alone; elsewhere give each a vc.Unilateral"
                )
            if body.mechanics.kinematics.deforms:
                _check_deforming(contact, body)
    if are_free_bodies(tree, contacts):
        return replace(tree, contact=contacts[0])
    if tree.varied:
        raise ModelError(
            f"{contacts[0].called}: constraint '{tree.varied[0].constraint.name}' adds to the Lagrangian, and what an impact does to its "
            "multipliers is not known; realize it with vc.DAlembert() or vc.Chetaev(), or leave the contact out"
        )
    _check_pairs(contacts)
    _check_in_turn(tree, tuple(contacts))
    tree = replace(tree, contacts=tuple(contacts))
    refused = _written_out(tree) if tree.nv > MOST_VELOCITIES_IN_CONTACT else []
    if refused:
        raise ModelError(
            f"{contacts[0].called}: system '{tree.name}' has {tree.nv} velocities, and {MOST_VELOCITIES_IN_CONTACT} are the most with "
            f"{' and '.join(one.told for one in refused)}; use fewer bodies, or {', and '.join(one.remedy for one in refused)}"
        )
    return tree


def can_meet_over_tables(tree: Tree) -> bool:
    """Whether contacts of any number of blocks can be stepped over tables: with nothing that must be written out."""
    return not _written_out(tree)


class _MustBeWrittenOut(NamedTuple):
    """What tables in contact do not have, in words; those of a system by name, and what to do instead."""

    what: str
    called: list[str]
    remedy: str

    @property
    def told(self) -> str:
        """What it is, with the first few names."""
        more = len(self.called) - SHOWN_OF_REFUSED
        return f"{self.what} ({', '.join(self.called[:SHOWN_OF_REFUSED])}{f' and {more} more' if more > 0 else ''})"


def _written_out(tree: Tree) -> list[_MustBeWrittenOut]:
    """What must be written out in a system with contacts."""
    deforming = any(k.body.mechanics.kinematics.deforms for k in tree.links)
    conditions = [one.constraint.called for one in tree.constraints] + [
        f"joint '{one.joint.name}'" for one in tree.closures
    ]
    every = (
        _MustBeWrittenOut(
            "constraints on joints or accelerations, or constraints that multipliers along their own rows do not keep",
            [one.constraint.called for one in tree.constraints if not one.is_kept_on_bodies],
            "describe them by positions or velocities of bodies with realization='dalembert'",
        ),
        _MustBeWrittenOut(
            "closed loops or constraints next to bodies that deform",
            conditions if deforming else [],
            "use stiff springs",
        ),
        _MustBeWrittenOut(
            "unilateral constraints of bodies that deform, whose friction depends on direction or resists rolling, or whose impacts "
            "are in turn or by Poisson's law",
            [one.unilateral.called for one in tree.unilaterals if not goes_over_tables(tree, one)],
            "give the bodies shapes that meet in a vc.Contact, or the constraint Newton's law and vc.Coulomb(mu)",
        ),
        _MustBeWrittenOut(
            "impacts by Poisson's law",
            [one.called for one in tree.contacts if one.impact.by_impulses],
            "use Newton's law with a number for impact",
        ),
        _MustBeWrittenOut(
            "rotations by angles or vectors, which change their charts",
            [f"joint '{link.joint.name}'" for link in turning_links(tree)],
            "use chart='quaternion'",
        ),
        _MustBeWrittenOut(
            "bodies whose mass varies, or that deform without an energy that keeps them from being crushed",
            [f"body '{k.body.name}'" for k in tree.links if not k.body.mechanics.goes_over_tables],
            "use a constant mass, or an energy such as vc.energies.NeoHookean",
        ),
        _MustBeWrittenOut(
            "pairs of bodies that deform within a cutoff",
            _pairs_of_deforming(tree),
            "give the pairs with over= instead",
        ),
    )
    return [one for one in every if one.called]


def _pairs_of_deforming(tree: Tree) -> list[str]:
    """Bonds within a cutoff between bodies that deform."""
    deforming = {k.index for k in tree.links if k.body.mechanics.kinematics.deforms}
    within = [one for one in tree.acting if isinstance(one, Acting) and isinstance(one.action, PairsWithin)]
    return [one.action.called for one in within if deforming.intersection(one.links)]


def _check_deforming(contact: Contact, body: Body) -> None:
    """Refuse what the shape of a body that deforms cannot meet."""
    name, shape = body.name, body.shape  # type: ignore[attr-defined]
    where = f"{contact.called}: body '{name}' deforms"
    if contact.friction is not None and contact.friction.resists:
        raise ModelError(
            f"{where}, and a moment that resists rolling or spinning does not say which of its points it moves; leave rolling= and "
            "spinning= out"
        )
    if not isinstance(shape, (Sphere, Box, Polytope)):
        raise ModelError(
            f"{where}, and its shape is a {type(shape).__name__}; of bodies that deform contact supports spheres, boxes and polytopes, "
            "so use one of them or a vc.Unilateral"
        )


def are_free_bodies(tree: Tree, contacts: list[Contact]) -> bool:
    """Whether all bodies are free, have one contact law without rolling resistance and not Poisson's, and are subject to gravity alone."""
    contact = contacts[0]
    free = all(k.joint.nv == 6 and k.joint.name == k.body.name and k.parent < 0 for k in tree.links)
    alone = not (tree.acting or tree.constraints or tree.unilaterals or tree.closures)
    usual = all(k.extra_inertia is None and k.inner is None for k in tree.links)
    plain = usual and not contact.against and (contact.friction is None or not contact.friction.resists)
    plain = plain and not contact.impact.by_impulses
    return free and alone and plain and len(contacts) == 1 and not set(tree.bodies) - set(contact.names)


def _check_pairs(contacts: list[Contact]) -> None:
    """Refuse pairs, and bodies with a wall, for which two contacts have different laws."""
    sides = [contact.sides for contact in contacts]
    for (one, own), (other, others) in combinations(zip(contacts, sides, strict=True), 2):
        if one.laws == other.laws and one.impact.by_impulses == other.impact.by_impulses:
            continue
        pair = _common_pair(own, others)
        if pair is not None:
            raise ModelError(
                f"{other.called}: bodies '{pair[0]}' and '{pair[1]}' meet by {one.called} already, whose laws differ; list the pair in one "
                "of them, for example with against=[…] for pairs of two groups"
            )
        if any(is_same_wall(wall, w) for wall in one.walls for w in other.walls):
            body = min(own[0] & others[0], default=None)
            if body is not None:
                raise ModelError(
                    f"{other.called}: body '{body}' meets the same wall by {one.called} already, whose laws differ; list that wall in "
                    "one of them"
                )


def _common_pair(one: tuple[set[str], set[str]], other: tuple[set[str], set[str]]) -> tuple[str, str] | None:
    """Two names that are on opposite sides of both pairs of sides; None if there are none."""
    found = []
    for a, b in (other, other[::-1]):
        first, second = one[0] & a, one[1] & b
        if first and second and len(first | second) > 1:
            name = min(first)
            if second == {name}:
                name = min(first - second)
            found.append(tuple(sorted((name, min(second - {name})))))
    return min(found, default=None)


def is_same_wall(one, other) -> bool:
    """Whether two walls are one object, or of one kind with the same numbers."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, (HalfSpace, TwoSidedPlane)):
        return one.offset == other.offset and bool(np.all(one.normal == other.normal))
    if isinstance(one, FixedSolid):
        return (
            type(one.shape) is type(other.shape)
            and _is_same_pose(one.pose, other.pose)
            and _has_same_numbers(one.shape, other.shape)
        )
    return all(np.array_equal(a, b) for a, b in zip(one.placed, other.placed, strict=True))


def _is_same_pose(one: Pose, other: Pose) -> bool:
    return _are_same(one.p, other.p) and _are_same(one.R, other.R)


def _has_same_numbers(one: Solid, other: Solid) -> bool:
    """Whether two solids of one class have the same fields."""
    return all(_are_same(getattr(one, x.name), getattr(other, x.name)) for x in fields(one))  # type: ignore[arg-type]


def _are_same(one, other) -> bool:
    """Whether two arrays of numbers are the same; parameters are so only as the same object."""
    return one is other or (_is_plain(one) and _is_plain(other) and np.array_equal(one, other))


def _is_plain(x) -> bool:
    return np.asarray(x).dtype != object


def _check_in_turn(tree: Tree, contacts: tuple[Contact, ...]) -> None:
    """Refuse sequential impacts together with rolling resistance: its moment has no part in a single impact."""
    turned = [
        b.unilateral.called
        for b in tree.unilaterals
        if b.unilateral.impact and b.unilateral.impact.treatment == SEQUENTIAL
    ]
    resisting = [
        b.unilateral.called for b in tree.unilaterals if b.unilateral.friction and b.unilateral.friction.resists
    ]
    if turned and contacts:
        raise ModelError(
            f"{turned[0]}: impacts in turn are not available next to {contacts[0].called}, where all impacts of a step are "
            "treated together; "
            "leave treatment='sequential' out"
        )
    if turned and resisting:
        raise ModelError(
            f"{turned[0]}: impacts in turn are not available where {resisting[0]} resists rolling or spinning; leave "
            f"treatment='sequential' "
            "out, or rolling= and spinning="
        )
