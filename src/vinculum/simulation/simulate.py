"""`simulate`: a system's motion from a start to an end."""

from collections.abc import Mapping, Sequence
from typing import Any, overload

from vinculum.compile.announce import announcing
from vinculum.derivations.lagrangian.system import LagrangianSystem
from vinculum.models.model import Model
from vinculum.motion.lagrangian.motion import LagrangianMotion
from vinculum.motion.motion import Motion
from vinculum.simulation.descriptions import motion_of
from vinculum.simulation.options import Options, checked_events, checked_flags
from vinculum.systems import Event, System


@overload
def simulate(
    system: LagrangianSystem, until: float, start: Any = None, *, begin: float = 0.0,
    parameters: Mapping[str, float] | None = None, method: str = "auto", tolerance: float | None = None,
    max_step: float | None = None, grid: Any = None, progress: bool = True, thorough: bool | None = None,
    repair: bool = False,
) -> LagrangianMotion: ...  # fmt: skip


@overload
def simulate(
    system: System | Model, until: float, start: Mapping[str, object] | None = None, *, begin: float = 0.0,
    parameters: Mapping[str, float] | None = None, method: str = "auto", tolerance: float | None = None,
    step: float | None = None, max_step: float | None = None, grid: Any = None,
    events: Sequence[Event] | Event | None = (), out: Any = None, progress: bool = True, thorough: bool | None = None,
    repair: bool = False, resolve: bool = False, impacts: str | None = None, theta: float | None = None,
) -> Motion: ...  # fmt: skip


@announcing
def simulate(
    system,
    until: float,
    start: Any = None,
    *,
    begin: float = 0.0,
    parameters: Mapping[str, float] | None = None,
    method: str = "auto",
    tolerance: float | None = None,
    step: float | None = None,
    max_step: float | None = None,
    grid=None,
    events: Sequence[Event] | Event | None = (),
    out=None,
    progress: bool = True,
    thorough: bool | None = None,
    repair: bool = False,
    resolve: bool = False,
    impacts: str | None = None,
    theta: float | None = None,
) -> Motion | LagrangianMotion:
    """The motion of ``system`` from ``begin`` to ``until`` [s].

    ``start`` maps joints and free bodies to a position or `At`. ``method``: "auto", "taylor" (machine precision), "series"
    (the same without heyoka, for smooth forces), "dop853", "idas" (implicit, for stiff forces), "rk4", "verlet", "midpoint"; the last
    three need ``step`` [s].
    ``max_step`` [s] keeps the adaptive ones from passing over something short, such as a brief pulse (1/500 of the run by
    default if a drive looks at t or a body is prescribed). ``grid``: a number of instants or the instants themselves (1001 by
    default; of method "moreau" ends of steps, at most 1001). ``out``: a zarr folder to stream very long runs to.
    ``thorough``: True lets the Taylor engine compile for some seconds to run about twice as fast, False never; by default it does where
    the run is long enough.
    ``repair``: True moves a start that violates constraints as little as possible, with a remark for every change in the motion's log
    and a warning where it changes what was given.
    ``resolve``: True moves what starts in penetration apart, with a remark. Bodies that meet (`Contact`) run by method
    "moreau" with a ``step``; its ``tolerance`` is the residual that the impulses of every step must reach, also those of unilateral
    constraints.
    ``impacts`` of method "moreau": "located" (the default) cuts a step where a gap closes swiftly and lets the impact happen there, so that
    motions between impacts are of the second order; "stepped" takes every impulse as one of its whole step, the first order.
    ``theta`` of method "moreau": where in a step forces are taken, from 1/2 (the default: the middle, which damps nothing) to 1 (the end,
    which damps what swings fast, at the first order).
    A `LagrangianSystem` starts from ``(q, v)`` or a mapping of its coordinates, and its motion is a `LagrangianMotion`.
    Ctrl-C returns what was computed; a run that fails raises `RunError`, whose ``motion`` holds it.
    """  # fmt: skip
    options = Options(until, start, begin, parameters, method, tolerance, step, max_step, grid, checked_events(events), out, progress,
                      thorough, repair, resolve, impacts, theta)  # fmt: skip
    return motion_of(system, checked_flags(options))
