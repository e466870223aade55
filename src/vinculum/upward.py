"""`Door`: how a lower room calls a function of an upper one.

A door belongs to one room. That room registers its function when it is loaded (`Door.opens_to` in the room's
``__init__``). A door without a function imports its room first.
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
