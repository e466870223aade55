"""The contents of a model file: a system, its start, its events and how to run it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

from vinculum.systems.event import Event
from vinculum.systems.start import At


@final
@dataclass(frozen=True, eq=False)
class ModelFile:
    """A checked model file; ``system`` is a `System`, or a `LagrangianSystem` if the file has no bodies.

    ``start``, ``events`` and ``run`` are arguments of `simulate`. Settings in ``run`` and attitudes in ``start`` are
    evaluated with the parameter values in the file; everything else follows a change of ``parameters``.
    """

    system: Any
    start: Mapping[str, At | list]
    events: tuple[Event, ...]
    run: Mapping[str, Any]
    parameters: Mapping[str, float]
