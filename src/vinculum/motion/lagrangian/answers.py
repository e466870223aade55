"""Motions of Lagrangian models."""

from typing import Any, ClassVar, final

from vinculum.errors import StartError
from vinculum.models.model import Model
from vinculum.motion.by_type import MotionOfType
from vinculum.motion.impulses.contact_impulses import ContactImpulses
from vinculum.motion.impulses.pressing import PressingContacts
from vinculum.motion.storage.datasets import lagrangian_dataset


@final
class LagrangianMotions(MotionOfType):
    """Coordinates meet nothing."""

    keeps_pressing: ClassVar[bool] = False

    def make_stored(self, *parts, **kept) -> Any:
        from vinculum.motion.lagrangian.motion import LagrangianMotion
        from vinculum.motion.lagrangian.record import LagrangianRecord

        return LagrangianMotion(LagrangianRecord(*parts, made_by=kept["made_by"]))

    def dataset(self, record: Any) -> Any:
        return lagrangian_dataset(record)

    def contact_impulses(self, motion: Any, name: str) -> ContactImpulses:
        raise StartError(f"there is not a unilateral constraint '{name}' in system '{motion.model.name}'")

    def shape_count(self, model: Model) -> int:
        return 0

    def check_pressing(self, model: Model, pressing: PressingContacts, steps: int) -> None:
        """Nothing of the kind is stored."""
