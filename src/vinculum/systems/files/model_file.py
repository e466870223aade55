"""What a model file says: a system, its start, its events and how to run it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, final

from vinculum.scalars import Value
from vinculum.systems.start import At
from vinculum.systems.system import System


@final
@dataclass(frozen=True, eq=False)
class EventSpec:
    """An event as plain data: ``function`` of the view of the body or joint ``of`` and of ``t`` crosses zero."""

    name: str
    of: str
    function: Callable[[Any, Value], Value]
    formula: str
    direction: int
    stop: bool


@final
@dataclass(frozen=True, eq=False)
class ModelFile:
    """A model file that was read and checked.

    ``run`` holds the settings of `simulate` that the file gives; they and attitudes in ``start`` are numbers at the
    parameters' values in the file, all else follows a change of ``parameters``.
    """

    system: System
    start: Mapping[str, At]
    events: tuple[EventSpec, ...]
    run: Mapping[str, Any]
    parameters: Mapping[str, float]
