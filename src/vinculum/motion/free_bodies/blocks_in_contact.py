"""Motions of blocks in contact."""

from typing import Any, ClassVar, final

import numpy as np

from vinculum.errors import FileError, StartError
from vinculum.models.blocks_in_contact.type import block_shapes_of
from vinculum.models.model import Model
from vinculum.motion.by_type import MotionOfType
from vinculum.motion.impulses.contact_impulses import ContactImpulses, contact_impulses_at
from vinculum.motion.impulses.contact_solver import ContactSolver
from vinculum.motion.impulses.pressing import PressingContacts, tangents
from vinculum.motion.motion import Motion
from vinculum.motion.record import Record
from vinculum.motion.storage.datasets import dataset


@final
class BlocksInContactMotion(MotionOfType):
    """Impulses belong to steps and are recorded for every active contact."""

    keeps_pressing: ClassVar[bool] = True

    def make_stored(self, *parts, **kept) -> Motion:
        return Motion(Record(*parts, **kept))

    def dataset(self, record: Any) -> Any:
        return dataset(record)

    def contact_impulses(self, motion: Any, name: str) -> ContactImpulses:
        if name in motion.model.layout.contacts:
            return _impulses_by_laws(motion.model, motion.contact_solver, name)
        return contact_impulses_at(motion.model, motion.atoms, name)

    def check_pressing(self, model: Model, pressing: PressingContacts, steps: int) -> None:
        if not pressing.fits(steps, len(block_shapes_of(model).kinds)):
            raise FileError("the stored impulses do not fit the stored model; the folder is damaged")


def _impulses_by_laws(model: Model, contact_solver: ContactSolver | None, name: str) -> ContactImpulses:
    """The impulses of all pairs whose laws are those of a contact."""
    if contact_solver is None or contact_solver.pressing is None:
        raise StartError(
            f"contact '{name}': this motion was given without reactions, so its impulses are not known; use a motion of vc.simulate"
        )
    rows, number = contact_solver.pressing, list(model.layout.contacts).index(name)
    own = block_shapes_of(model).law_of(*rows.bodies.T) == number
    normals, P = rows.normals[own], rows.impulses[own]
    return ContactImpulses(
        name,
        contact_solver.times[rows.contact_solver[own]],
        np.einsum("ck,ck->c", normals, P),
        np.einsum("cak,ck->ca", tangents(normals), P),
        np.zeros((int(own.sum()), 3)),
        np.array(model.layout.shapes, dtype=str)[rows.bodies[own]],
    )
