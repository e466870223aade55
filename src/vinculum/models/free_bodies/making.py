"""Free bodies in contact of a tree, as numbers."""

import numpy as np

from vinculum.bodies.shape_pose import shape_frame
from vinculum.contact.free_bodies.bodies import FreeBodies
from vinculum.models.shapes.shape_arrays import plain_numbers, shape_numbers
from vinculum.systems import Tree


def free_bodies_in(tree: Tree) -> FreeBodies:
    """The bodies, shapes and laws of a tree with a contact."""
    contact = tree.contact
    assert contact is not None and contact.impact is not None
    bodies = [link.body for link in tree.links]
    masses = plain_numbers(contact, [body.mass for body in bodies])
    inertias = plain_numbers(contact, [body.inertia_at_center for body in bodies])
    centers = plain_numbers(contact, [body.center for body in bodies])
    poses = [shape_frame(body) for body in bodies]
    shapes = shape_numbers(
        [(contact, body.shape) for body in bodies],  # type: ignore[attr-defined]
        [(contact, wall) for wall in contact.walls],
    )
    return FreeBodies(
        masses,
        0.5 * (inertias + np.swapaxes(inertias, 1, 2)),
        centers,
        shapes.kinds,
        shapes.sizes,
        shapes.reaches,
        plain_numbers(contact, [pose.p for pose in poses]) - centers,
        plain_numbers(contact, [pose.R for pose in poses]),
        shapes.places,
        shapes.turns,
        plain_numbers(contact, tree.gravity),
        0.0 if contact.friction is None else float(contact.friction.mu),
        float(contact.impact.restitution),
        shapes.pool,
    )
