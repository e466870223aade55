"""Motions of free bodies in contact."""

from typing import Any, ClassVar, final

from vinculum.errors import FileError
from vinculum.models.free_bodies.type import free_bodies_of
from vinculum.models.model import Model
from vinculum.motion.by_type import MotionOfType
from vinculum.motion.free_bodies.contact_impulses import impulses_between_bodies
from vinculum.motion.impulses.contact_impulses import ContactImpulses, contact_impulses_at
from vinculum.motion.impulses.pressing import PressingContacts
from vinculum.motion.motion import Motion
from vinculum.motion.record import Record
from vinculum.motion.storage.datasets import dataset


@final
class FreeBodiesMotion(MotionOfType):
    """Impulses belong to steps and are recorded for every active contact."""

    keeps_pressing: ClassVar[bool] = True

    def make_stored(self, *parts, **kept) -> Motion:
        return Motion(Record(*parts, **kept))

    def dataset(self, record: Any) -> Any:
        return dataset(record)

    def contact_impulses(self, motion: Any, name: str) -> ContactImpulses:
        if name in motion.model.layout.contacts:
            return impulses_between_bodies(motion.model, motion.contact_solver, name)
        return contact_impulses_at(motion.model, motion.atoms, name)

    def check_pressing(self, model: Model, pressing: PressingContacts, steps: int) -> None:
        if not pressing.fits(steps, len(free_bodies_of(model).kinds)):
            raise FileError("the stored impulses do not fit the stored model; the folder is damaged")
