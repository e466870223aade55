"""Actions in another inertial frame: fields and ends on the ground belong to a base."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.bodies import GROUND, Body
from vinculum.bonds.actions import Action, ActionLaw, Distance, Effort, Limit, end_name
from vinculum.bonds.body_view import BodyView
from vinculum.bonds.moving_base.views import effort_from_base, old_ground, relative_view
from vinculum.bonds.symbol import Symbol


def action_on_base(action: Action, base: str, later: float) -> Action:
    """The action with its laws at places relative to the body ``base``; ``later`` [s]: by how much clocks are ahead.

    One that depends on no place, no velocity and no time but those of its bodies relative to each other stays as it is.
    """
    names = tuple(end_name(end) for end in action.ends)
    if action.law.is_relative and GROUND not in names:
        return action
    return OnBase(action.name, action, base, later, names)


@final
@dataclass(frozen=True, eq=False)
class OnBase(Action):
    """An action seen relative to a base, which takes the place of the ground; where it was a field, the base bears its reaction."""

    name: str
    action: Action
    base: str
    later: float
    names: tuple[str, ...]

    @property
    def called(self) -> str:
        return self.action.called

    @property
    def is_field(self) -> bool:
        """Whether the ground was no end of it."""
        return GROUND not in self.names

    @property
    def ends(self) -> tuple[Body | str, ...]:
        known = tuple(self.base if name == GROUND else name for name in self.names)
        return (*known, self.base) if self.is_field else known

    @property
    def law(self) -> "OnBaseLaw":
        return OnBaseLaw(self, self.action.law)


@final
@dataclass(frozen=True, eq=False)
class OnBaseLaw(ActionLaw):
    """The law of an action at views relative to its base."""

    bond: OnBase
    own: ActionLaw

    @property
    def is_external(self) -> bool:
        return self.own.is_external

    def energy_at(self, views: Sequence[BodyView], t) -> Any:
        return self.own.energy_at(self._relative(views), t - self.bond.later)

    def efforts_at(self, views: Sequence[BodyView], t) -> list[Effort] | None:
        found, base = self.own.efforts_at(self._relative(views), t - self.bond.later), self._base(views)
        if found is None:
            return None
        ends = views[:-1] if self.bond.is_field else views
        efforts = [effort_from_base(view, base, one) for view, one in zip(ends, found, strict=True)]
        return [*efforts, (np.zeros(3), np.zeros(3))] if self.bond.is_field else efforts

    def distances(self, views: Sequence[BodyView]) -> list[Distance]:
        return self.own.distances(self._relative(views))

    def limits(self, views: Sequence[BodyView]) -> list[Limit]:
        return self.own.limits(self._relative(views))

    def symbol(self) -> Symbol | None:
        return None if self.bond.is_field else self.own.symbol()

    def notes(self) -> list[str]:
        return self.own.notes()

    def check(self, values: Mapping[str, float] | None = None) -> None:
        self.own.check(values)

    def _base(self, views: Sequence[BodyView]) -> BodyView:
        return views[-1] if self.bond.is_field else views[self.bond.names.index(GROUND)]

    def _relative(self, views: Sequence[BodyView]) -> list[BodyView]:
        base = self._base(views)
        ends = views[:-1] if self.bond.is_field else views
        return [
            old_ground() if name == GROUND else relative_view(view, base)
            for name, view in zip(self.bond.names, ends, strict=True)
        ]
