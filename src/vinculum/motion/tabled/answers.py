"""Motions of blocks and bonds over tables."""

from typing import Any, ClassVar, final

import numpy as np

from vinculum.models.model import Model
from vinculum.models.tabled.type import branch_at
from vinculum.motion.by_type import MotionOfType
from vinculum.motion.impulses.contact_impulses import ContactImpulses, contact_impulses_at
from vinculum.motion.impulses.pressing import PressingContacts
from vinculum.motion.motion import Motion
from vinculum.motion.record import Record
from vinculum.motion.storage.datasets import dataset


@final
class TabledMotion(MotionOfType):
    """Nothing is in contact."""

    keeps_pressing: ClassVar[bool] = False

    def make_stored(self, *parts, **kept) -> Motion:
        return Motion(Record(*parts, **kept))

    def dataset(self, record: Any) -> Any:
        return dataset(record)

    def contact_impulses(self, motion: Any, name: str) -> ContactImpulses:
        return contact_impulses_at(motion.model, motion.atoms, name)

    def on_branch(self, model: Model, state: np.ndarray, t: float, values: np.ndarray) -> Model:
        return branch_at(model, state, t, values)

    def check_pressing(self, model: Model, pressing: PressingContacts, steps: int) -> None:
        """Nothing of the kind is stored."""
