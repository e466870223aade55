"""Motions of free bodies in contact."""

from collections.abc import Sequence
from typing import final

import numpy as np

from vinculum.models.free_bodies.type import body_and_wall_names
from vinculum.models.model import Model
from vinculum.motion.free_bodies.recorded_contacts import SteppedContactMotion
from vinculum.motion.impulses.contact_impulses import ContactImpulses, contact_impulses_at
from vinculum.motion.record import Record


@final
class FreeBodiesMotion(SteppedContactMotion):
    """One contact has all pairs."""

    def shape_names(self, model: Model) -> Sequence[str]:
        return body_and_wall_names(model)

    def impulses_of_unilateral(self, motion: Record, name: str) -> ContactImpulses:
        return contact_impulses_at(motion.model, motion.atoms, name)

    def pairs_of_contact(self, model: Model, name: str, pairs: np.ndarray) -> np.ndarray:
        return np.ones(len(pairs), dtype=bool)
