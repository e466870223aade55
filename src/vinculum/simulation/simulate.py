"""`simulate`: the motion of a system from a start to an end."""

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
    max_step: float | None = None, grid: Any = None, events: Sequence[Event] | Event | None = (), out: Any = None,
    progress: bool = True, thorough: bool | None = None, repair: bool = False,
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
    ``max_step`` [s] keeps adaptive methods from missing a short event, such as a pulse (1/500 of the run by default if
    a drive depends on t or a body is prescribed). ``grid``: a number of instants or the instants themselves (1001 by
    default; with method "moreau" the ends of steps, at most 1001). ``out``: a zarr folder to which the run is written.
    ``thorough``: True lets the Taylor engine compile for some seconds longer to run about twice as fast; by default it
    does so if the run is long enough.
    ``repair``: True changes a start that violates constraints as little as possible. Every change is logged, with a
    warning if it changes a given value.
    ``resolve``: True separates bodies that penetrate each other at the start, and logs it. Systems with a `Contact`
    need method "moreau" with a ``step``; its ``tolerance`` is the residual of the impulses in every step, also for
    unilateral constraints.
    ``impacts`` of method "moreau": "located" (the default) cuts a step at an impact, so that motions between impacts
    have second order; "stepped" assigns every impulse to its whole step, with first order. Between shapes the
    default is "stepped", except among up to 32 free bodies.
    ``theta`` of method "moreau": where in a step forces are evaluated, from 1/2 (the default: the middle, without
    damping) to 1 (the end, which damps fast oscillations, with first order). A `LagrangianSystem` starts from ``(q,
    v)`` or a mapping of its coordinates, and its motion is a `LagrangianMotion`. Ctrl-C returns the motion computed so
    far. A run that fails raises `RunError`, whose ``motion`` is that part.

    >>> system = vc.System("pendulum", gravity=(0, 0, -9.81))
    >>> bob = system.add(vc.MassPoint("bob", mass=0.5))
    >>> hinge = system.add(vc.Revolute("hinge", "ground", bob, axis=(0, 1, 0), to=(0, 0, 0.3)))
    >>> motion = vc.simulate(system, until=2.0, start={"hinge": 0.2}, method="dop853")
    >>> round(float(motion["hinge"][-1]), 6)
    0.080259
    """  # fmt: skip
    options = Options(until, start, begin, parameters, method, tolerance, step, max_step, grid, checked_events(events), out, progress,
                      thorough, repair, resolve, impacts, theta)  # fmt: skip
    return motion_of(system, checked_flags(options))
