"""Functions of upper rooms that a motion calls: it is audited and plotted by rooms that import this one.

A door belongs to one room. That room registers its function when it is loaded (`Door.opens_to` in the room's
``__init__``). A door without a function imports its room first. A lower room calls an upper one only through these
doors.
"""

import importlib
from collections.abc import Callable
from typing import Any, final


@final
class Door:
    """A function of an upper ``room``."""

    def __init__(self, room: str):
        self._room: str = room
        self._function: Callable[..., Any] | None = None

    def opens_to(self, function: Callable[..., Any]) -> None:
        """Register the function."""
        self._function = function

    def __call__(self, *given) -> Any:
        if self._function is None:
            importlib.import_module(self._room)
        assert self._function is not None, f"{self._room} did not open its door"
        return self._function(*given)


METHOD_CLAIMS = Door("vinculum.integrators")
"""The claims of an integrator by its name, None if there is none of that name."""
AUDIT = Door("vinculum.audits")
"""The certificate of a motion."""
GIVEN_IMPULSE = Door("vinculum.audits")
"""What a given impulse of a motion did, by its name."""
JOINT_IMPULSES = Door("vinculum.audits")
"""Instants of impacts of a motion, and what joints and constraints transmitted there, by name."""
PLOT = Door("vinculum.show")
"""A plot of a motion over time, with the named joints, written to a path."""
PICTURE = Door("vinculum.show")
"""The bodies of a motion in space at an instant, written to a path, seen from two angles."""
COMPARISON_PLOT = Door("vinculum.show")
"""Motions by several realizations next to each other, written to a path."""
