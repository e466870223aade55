"""Options of a run."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

from vinculum.errors import MethodError, StartError, shorten
from vinculum.systems import Event


@final
@dataclass(frozen=True, eq=False)
class Options:
    """The arguments of `simulate`, in its order."""

    until: float
    start: Any = None
    begin: float = 0.0
    parameters: Mapping[str, float] | None = None
    method: str = "auto"
    tolerance: float | None = None
    step: float | None = None
    max_step: float | None = None
    grid: Any = None
    events: tuple[Event, ...] = ()
    out: Any = None
    progress: bool = True
    thorough: bool | None = None
    repair: bool = False
    resolve: bool = False
    impacts: str | None = None
    theta: float | None = None


def checked_flags(options: Options) -> Options:
    """The options, unless a flag is neither True nor False."""
    if options.repair not in (True, False):
        raise MethodError(f"repair {shorten(options.repair)} must be True or False")
    if not isinstance(options.resolve, bool):
        raise MethodError(f"resolve {shorten(options.resolve)} must be True or False")
    return options


def checked_events(given) -> tuple[Event, ...]:
    """Events as a tuple; what is none is refused."""
    listed = (given,) if isinstance(given, Event) else () if given is None else given
    if not isinstance(listed, (list, tuple)) or not all(isinstance(event, Event) for event in listed):
        raise StartError(f"events is {shorten(given)} and must be a list of vc.Event objects, or None")
    return tuple(listed)
