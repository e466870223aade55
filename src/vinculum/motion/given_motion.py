"""`given_motion`: a motion that was computed elsewhere, to be looked at and certified."""

from collections.abc import Mapping
from functools import singledispatch
from typing import Any, NamedTuple, overload

from vinculum.derivations.lagrangian.system import LagrangianSystem
from vinculum.errors import StartError
from vinculum.motion.lagrangian.motion import LagrangianMotion, motion_of_coordinates
from vinculum.motion.motion import Motion, motion_of_bodies
from vinculum.tolerances.certificates import CLAIMED


class Given(NamedTuple):
    """The arrays of a given motion; see `given_motion`."""

    time: Any
    q: Any
    v: Any
    left_v: Any
    contact_impulses: Any
    multipliers: Any
    parameters: Mapping[str, float] | None
    tolerance: float


@overload
def given_motion(
    system: LagrangianSystem, time, q, v, *, multipliers=None, parameters: Mapping[str, float] | None = None, tolerance: float = CLAIMED
) -> LagrangianMotion: ...  # fmt: skip


@overload
def given_motion(
    system: Any, time, q, v, *, left_v=None, contact_impulses=None, parameters: Mapping[str, float] | None = None,
    tolerance: float = CLAIMED,
) -> Motion: ...  # fmt: skip


def given_motion(
    system, time, q, v, *, left_v=None, contact_impulses=None, multipliers=None, parameters: Mapping[str, float] | None = None,
    tolerance: float = CLAIMED,
) -> Motion | LagrangianMotion:  # fmt: skip
    """A motion from another program: instants (T,), coordinates (T, nq) and velocities (T, nv).

    ``tolerance``: the claimed relative accuracy of the numbers; the certificate requires no more. ``left_v`` (T, nv): left limits of
    the velocities where they jump; or repeat the instant of a jump. Without either, jumps are searched for where gaps close.
    ``contact_impulses`` (K, 3 m) [N s]: impulses of the unilateral constraints at the jumps, three numbers each (normal and two
    tangents); without them they are computed from the jumps. Sign changes of quaternions and wrapped angles are undone and logged.
    ``multipliers`` (T, m): for a Lagrangian system, those that are part of the state.

    >>> system = vc.System("stone")
    >>> stone = system.add(vc.MassPoint("stone", mass=1.0))
    >>> t = np.linspace(0.0, 1.0, 21)
    >>> q, v = np.outer(t, (1, 2, 3)), np.outer(np.ones(21), (1, 2, 3))
    >>> vc.given_motion(system, t, q, v).audit().verdict
    'passed'
    >>> vc.given_motion(system, t, q, 1.01 * v).audit().verdict
    'failed'
    """
    return _motion(system, Given(time, q, v, left_v, contact_impulses, multipliers, parameters, tolerance))


@singledispatch
def _motion(system: Any, given: Given) -> Motion | LagrangianMotion:
    if given.multipliers is not None:
        raise StartError(
            "multipliers= are of a vc.LagrangianSystem; of bodies those that are part of the state are coordinates: give them in q"
        )
    return motion_of_bodies(
        system, given.time, given.q, given.v, given.left_v, given.contact_impulses, given.parameters, given.tolerance
    )


@_motion.register
def _(system: LagrangianSystem, given: Given) -> LagrangianMotion:
    if given.left_v is not None or given.contact_impulses is not None:
        raise StartError(
            f"Lagrangian system '{system.name}': no coordinate meets a unilateral constraint; leave left_v= and contact_impulses= out"
        )
    return motion_of_coordinates(
        system, given.time, given.q, given.v, given.multipliers, given.parameters, given.tolerance
    )
