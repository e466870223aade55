"""Motions of models whose equations are graphs, and of tables."""

from typing import Any, ClassVar, final

from vinculum.models.model import Model
from vinculum.motion.by_type import MotionOfType
from vinculum.motion.impulses.contact_impulses import ContactImpulses, contact_impulses_at
from vinculum.motion.impulses.pressing import PressingContacts
from vinculum.motion.motion import Motion
from vinculum.motion.record import Record
from vinculum.motion.storage.datasets import dataset


@final
class WrittenOutMotion(MotionOfType):
    """Impulses are atoms of the motion."""

    keeps_pressing: ClassVar[bool] = False

    def make_stored(self, *parts, **kept) -> Motion:
        return Motion(Record(*parts, **kept))

    def dataset(self, record: Any) -> Any:
        return dataset(record)

    def contact_impulses(self, motion: Any, name: str) -> ContactImpulses:
        return contact_impulses_at(motion.model, motion.atoms, name)

    def shape_count(self, model: Model) -> int:
        return 0 if model.shapes is None else len(model.shapes.kinds)

    def check_pressing(self, model: Model, pressing: PressingContacts, steps: int) -> None:
        """Nothing of the kind is stored."""
