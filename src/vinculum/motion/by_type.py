"""Interface of motions and their storage to a model, implemented for each type of model."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from vinculum.models.by_type import ByType
from vinculum.models.model import Model
from vinculum.motion.impulses.contact_impulses import ContactImpulses
from vinculum.motion.impulses.pressing import PressingContacts


class MotionOfType(ABC):
    """What one type of model answers to its motions."""

    keeps_pressing: ClassVar[bool]
    """Whether every active contact is recorded, step by step."""

    @abstractmethod
    def make_stored(self, *parts, **kept) -> Any:
        """The motion of a stored run."""

    @abstractmethod
    def dataset(self, record: Any) -> Any:
        """What was recorded, as an `xarray.Dataset`."""

    @abstractmethod
    def contact_impulses(self, motion: Any, name: str) -> ContactImpulses:
        """The impulses of a unilateral constraint or contact."""

    @abstractmethod
    def shape_count(self, model: Model) -> int:
        """The number of shapes that recorded contacts may name."""

    @abstractmethod
    def check_pressing(self, model: Model, pressing: PressingContacts, steps: int) -> None:
        """Refuse what is stored about so many ``steps`` of the contact solver where it does not fit the model."""


MOTIONS = ByType[MotionOfType]("motion")
