"""What keeps a boundary closed: the constraints that stand for it while it presses, slides or sticks."""

import numpy as np

from vinculum.bodies import GROUND
from vinculum.bonds.actions import ContactForce
from vinculum.bonds.boundaries.boundary import Boundary
from vinculum.bonds.boundaries.contact_frames import contact_frame, slip_velocity
from vinculum.bonds.constraints import Constraint, DAlembert, Servo
from vinculum.scalars import Scalar
from vinculum.scalars.math import dot, sqrt

SLIDES, STICKS = "slides", "sticks"
GRIP = "{} grip"
AHEAD = "{} slips along {}"


def kept_closed(boundary: Boundary, status: str, continued: bool = False) -> list[Constraint]:
    r"""Constraints for a boundary that stays closed.

    Without friction the gap is kept by its own covector. Sliding, the same multiplier pushes along :math:`n - D\,u_T/|u_T|_D`, with the
    friction in it; sticking, two more rows keep the slip at zero. ``continued``: the direction of the slip is that of
    :math:`u_T/(r \cdot u_T)` with parameters r, `directions_ahead`, which goes on smoothly where a slip comes to rest.
    """

    def gap(*views, t):
        return boundary.gap_at(views, t)

    if boundary.friction is None:
        return [Constraint(boundary.name, boundary.bodies, position=gap, realization=DAlembert())]
    if status == STICKS:

        def grip(*views, t):
            _, point, frame = contact_frame(boundary, views, t)
            return frame[1:] @ slip_velocity(views, point)

        held = Constraint(boundary.name, boundary.bodies, position=gap, realization=DAlembert())
        return [held, Constraint(GRIP.format(boundary.name), boundary.bodies, velocity=grip, realization=DAlembert())]

    def push(*views, t):
        views = views[: len(boundary.bodies)]
        size, point, frame = contact_frame(boundary, views, t)
        u = frame[1:] @ slip_velocity(views, point)
        u = u / dot(frame[1:] @ np.array([*directions_ahead(boundary).values()], dtype=object), u) if continued else u
        a, b = boundary.friction.coefficients if boundary.friction is not None else (0.0, 0.0)
        speed = sqrt((a * u[0]) ** 2 + (b * u[1]) ** 2) if a != b else sqrt(u[0] ** 2 + u[1] ** 2) * a
        drag = (a * a * u[0] * frame[1] + b * b * u[1] * frame[2]) / speed if a or b else 0.0 * frame[1]
        alone = len(boundary.bodies) == 1 and not views[0].turns
        return size * (frame[0] - drag), views[0].position if alone else point

    second = boundary.bodies[1] if len(boundary.bodies) > 1 else GROUND
    along = ContactForce(f"{boundary.name} push", boundary.bodies[0], second, push)
    return [Constraint(boundary.name, boundary.bodies, position=gap, realization=Servo(along))]


def directions_ahead(boundary: Boundary) -> dict[str, Scalar]:
    """Parameters for the components x, y, z of a direction along which a boundary slips, roughly."""
    names = [AHEAD.format(boundary.name, axis) for axis in "xyz"]
    return {name: Scalar("parameter", name, 1.0) for name in names}
