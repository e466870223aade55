"""What a model file says: a system, its start, its events and how to run it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

from vinculum.systems.event import Event
from vinculum.systems.start import At


@final
@dataclass(frozen=True, eq=False)
class ModelFile:
    """A model file that was read and checked; ``system`` is a `System`, or a `LagrangianSystem` where the file has no bodies.

    ``start``, ``events`` and ``run`` are what `simulate` takes. Settings in ``run`` and attitudes in ``start`` are numbers
    at the parameters' values in the file, all else follows a change of ``parameters``.
    """

    system: Any
    start: Mapping[str, At | list]
    events: tuple[Event, ...]
    run: Mapping[str, Any]
    parameters: Mapping[str, float]
