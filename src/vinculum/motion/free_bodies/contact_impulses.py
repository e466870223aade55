"""Impulses between free bodies in contact, as a result."""

import numpy as np

from vinculum.errors import StartError
from vinculum.models.free_bodies.type import body_and_wall_names
from vinculum.models.model import Model
from vinculum.motion.impulses.contact_impulses import ContactImpulses
from vinculum.motion.impulses.contact_solver import ContactSolver
from vinculum.motion.impulses.pressing import tangents


def impulses_between_bodies(model: Model, contact_solver: ContactSolver | None, name: str) -> ContactImpulses:
    """The impulses of the contact, one row for every active contact of two bodies, or of a body and a wall."""
    if contact_solver is None or contact_solver.pressing is None:
        raise StartError(
            f"contact '{name}': this motion was given without reactions, so its impulses are not known; use a motion of vc.simulate"
        )
    bodies = body_and_wall_names(model)
    rows = contact_solver.pressing
    normals, P = rows.normals, rows.impulses
    return ContactImpulses(
        name,
        contact_solver.times[rows.contact_solver],
        np.einsum("ck,ck->c", normals, P),
        np.einsum("cak,ck->ca", tangents(normals), P),
        np.zeros((len(rows), 3)),
        np.array(bodies, dtype=str)[rows.bodies],
    )
