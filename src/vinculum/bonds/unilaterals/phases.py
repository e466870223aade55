"""Bilateral constraints that replace a closed unilateral constraint in a phase: sliding or sticking."""

import numpy as np

from vinculum.bodies import GROUND
from vinculum.bonds.actions import ContactForce
from vinculum.bonds.constraints import Constraint, DAlembert, Servo
from vinculum.bonds.efforts import effort_at
from vinculum.bonds.unilaterals.contact_frames import contact_frame, gap_covector, opposite, slip_velocity
from vinculum.bonds.unilaterals.unilateral import Unilateral
from vinculum.scalars import Scalar
from vinculum.scalars.math import dot, sqrt

SLIDES, STICKS = "slides", "sticks"
GRIP = "{} grip"
AHEAD = "{} slips along {}"


def kept_closed(unilateral: Unilateral, status: str, continued: bool = False) -> list[Constraint]:
    r"""Bilateral constraints that replace a closed unilateral constraint.

    Without friction the gap is kept by its own covector. Sliding, the same multiplier carries the friction
    :math:`-|\nabla g|\,D\,u_T/|u_T|_D` at the place of contact along with this covector; sticking, two more rows keep the slip at zero.
    ``continued``: the direction of the slip is that of :math:`u_T/(r \cdot u_T)` with parameters r, `directions_ahead`, which goes on
    smoothly where a slip comes to rest.
    """

    def gap(*views, t):
        return unilateral.gap_at(views, t)

    if unilateral.friction is None:
        return [Constraint(unilateral.name, unilateral.bodies, position=gap, realization=DAlembert())]
    if status == STICKS:

        def grip(*views, t):
            _, point, frame = contact_frame(unilateral, views, t)
            return frame[1:] @ slip_velocity(views, point)

        held = Constraint(unilateral.name, unilateral.bodies, position=gap, realization=DAlembert())
        return [
            held,
            Constraint(GRIP.format(unilateral.name), unilateral.bodies, velocity=grip, realization=DAlembert()),
        ]

    def push(*views, t):
        views, ground = views[: len(unilateral.bodies)], views[-1]
        size, point, frame = contact_frame(unilateral, views, t)
        u = frame[1:] @ slip_velocity(views, point)
        u = u / dot(frame[1:] @ np.array([*directions_ahead(unilateral).values()], dtype=object), u) if continued else u
        a, b = unilateral.friction.coefficients if unilateral.friction is not None else (0.0, 0.0)
        speed = sqrt((a * u[0]) ** 2 + (b * u[1]) ** 2) if a != b else sqrt(u[0] ** 2 + u[1] ** 2) * a
        drag = (a * a * u[0] * frame[1] + b * b * u[1] * frame[2]) / speed if a or b else 0.0 * frame[1]
        normal = gap_covector(unilateral, views, t)
        whole = normal if len(normal) > 1 else [*normal, opposite(views[0], ground, normal[0])]
        pull, ends = -size * drag, (*views, ground)[:2]
        return [
            (f + sign * pull, m + effort_at(view, point, sign * pull))
            for view, (f, m), sign in zip(ends, whole, (1.0, -1.0), strict=True)
        ]

    second = unilateral.bodies[1] if len(unilateral.bodies) > 1 else GROUND
    along = ContactForce(f"{unilateral.name} push", unilateral.bodies[0], second, push)
    return [Constraint(unilateral.name, unilateral.bodies, position=gap, realization=Servo(along))]


def directions_ahead(unilateral: Unilateral) -> dict[str, Scalar]:
    """Parameters for the components x, y, z of the approximate sliding direction of a unilateral constraint."""
    names = [AHEAD.format(unilateral.name, axis) for axis in "xyz"]
    return {name: Scalar("parameter", name, 1.0) for name in names}
