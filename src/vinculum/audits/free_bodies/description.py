"""Free bodies in contact as the user described them: the numbers of bodies and laws."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.models.free_bodies.type import free_bodies_of
from vinculum.models.model import Model


@final
@dataclass(frozen=True, eq=False)
class Described:
    """``masses`` (n,), ``inertias`` (n, 3, 3) about the mass centers and ``centers`` (n, 3) in the bodies' axes; ``gravity`` (3,);
    ``mu``: friction; ``e``: Newton's ratio."""

    masses: np.ndarray
    inertias: np.ndarray
    centers: np.ndarray
    gravity: np.ndarray
    mu: float
    e: float


def describe(model: Model) -> Described:
    """The numbers of the user's bodies and contacts; for a stored motion without them, those of the arrays of the run."""
    free_bodies, tree = free_bodies_of(model), model.tree
    if tree is None or tree.contact is None:
        return Described(
            free_bodies.masses,
            free_bodies.inertias,
            free_bodies.centers,
            free_bodies.gravity,
            free_bodies.mu,
            free_bodies.e,
        )
    bodies, contact = [link.body for link in tree.links], tree.contact
    masses, inertias, centers, gravity = (
        np.array(x, dtype=float)
        for x in (
            [b.mass for b in bodies],
            [b.inertia_at_center for b in bodies],
            [b.center for b in bodies],
            tree.gravity,
        )
    )
    mu = 0.0 if contact.friction is None else float(contact.friction.mu)
    e = 0.0 if contact.impact is None else float(contact.impact.restitution)
    return Described(masses, inertias, centers, gravity, mu, e)
