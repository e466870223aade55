"""Functions of a user's as they are written in another inertial frame."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

from vinculum.bodies.frame_changes import FunctionsInFrame
from vinculum.bonds.actions import call_with_views
from vinculum.bonds.moving_base.views import base_view, relative_view
from vinculum.measures.frames import ChangeOfFrame
from vinculum.scalars import vector


@final
@dataclass(frozen=True, eq=False)
class ViewsInFrame(FunctionsInFrame):
    """Functions of views and ``t``; ``where``: whose they are, in messages."""

    frame: ChangeOfFrame
    where: str

    def number(self, function: Callable) -> Callable:
        def number_at(*views, t):
            base = base_view(self.frame, t)
            back = [relative_view(view, base) for view in views]
            return call_with_views(self.where, function, back, t - self.frame.later)

        return number_at

    def direction(self, function: Callable) -> Callable:
        inner = self.number(function)
        return lambda *views, t: self.frame.rotation @ vector(inner(*views, t=t))

    def velocity(self, function: Callable) -> Callable:
        inner = self.number(function)
        return lambda *views, t: self.frame.rotation @ vector(inner(*views, t=t)) + self.frame.velocity
