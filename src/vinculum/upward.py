"""`Door`: how a lower room calls a function of an upper one, and `ShownInNotebooks`: what the uppermost shows in a notebook.

A door belongs to one room. That room registers its function when it is loaded (`Door.opens_to` in the room's
``__init__``). A door without a function imports its room first.
"""

import importlib
from abc import ABC
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


IN_NOTEBOOK = Door("vinculum.show")
"""What a notebook shows of a thing, as HTML."""
FORMULA_IN_NOTEBOOK = Door("vinculum.show")
"""What a notebook shows of a thing, as LaTeX; None if it has no formulas."""


class ShownInNotebooks(ABC):  # noqa: B024
    """Something that Jupyter and its kin show as a table, a picture or a formula instead of its plain text."""

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict[str, str]:
        """The thing as plain text, HTML and, where it has formulas, LaTeX."""
        wanted = {"text/plain": lambda: str(self), "text/html": self._repr_html_, "text/latex": self._repr_latex_}
        asked = {
            kind: make() for kind, make in wanted.items() if kind in (include or wanted) and kind not in (exclude or ())
        }
        return {kind: text for kind, text in asked.items() if text is not None}

    def _repr_html_(self) -> str:
        return IN_NOTEBOOK(self)

    def _repr_latex_(self) -> str | None:
        return FORMULA_IN_NOTEBOOK(self)
