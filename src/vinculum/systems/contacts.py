"""Contact in a tree: free bodies with shapes, and nothing else."""

from dataclasses import replace

from vinculum.bodies import GROUND
from vinculum.bonds import Contact, Free
from vinculum.errors import ModelError
from vinculum.systems.tree import Tree

REMEDY = "describe gaps of such a system one by one with vc.Boundary"


def with_contacts(tree: Tree, contacts: list[Contact]) -> Tree:
    """The tree with its contact, if it has one; what a pile cannot have besides is refused."""
    if not contacts:
        return tree
    contact = contacts[0]
    if len(contacts) > 1:
        raise ModelError(
            f"{contacts[1].called}: system '{tree.name}' has {contact.called} already; list all bodies and walls in one"
        )
    for link in tree.links:
        contact.check_shape(f"body '{link.body.name}'", getattr(link.body, "shape", None))
    for link in tree.links:
        name = link.body.name
        if not isinstance(link.joint, Free) or link.joint.name != name or link.parent >= 0:
            raise ModelError(
                f"{contact.called}: body '{name}' is held by joint '{link.joint.name}', but contact is for free bodies; {REMEDY}"
            )
    if GROUND in contact.names:
        raise ModelError(
            f"{contact.called}: 'ground' has no shape; give what stands still as walls=[vc.HalfSpace(normal, offset), …]"
        )
    others = (
        [a.action.name for a in tree.actions]
        + [c.constraint.name for c in tree.constraints]
        + [b.boundary.name for b in tree.boundaries]
    )
    if others:
        raise ModelError(
            f"{contact.called}: system '{tree.name}' also has '{others[0]}', but free bodies that meet know gravity alone; {REMEDY}"
        )
    left_out = set(tree.bodies) - set(contact.names)
    if left_out:
        raise ModelError(
            f"{contact.called}: body '{min(left_out)}' of system '{tree.name}' is not among its bodies; list all of them"
        )
    return replace(tree, contact=contact)
