"""Constant speed of a point of a body."""

from functools import partial

from vinculum.bodies import GROUND, Body
from vinculum.bonds.constraints.constraint import Constraint
from vinculum.bonds.constraints.frames import positive, slip
from vinculum.bonds.constraints.realizations import Realization
from vinculum.scalars.math import dot
from vinculum.screws.entries import entries


def constant_speed(
    name: str,
    body: Body | str,
    speed,
    *,
    at=(0.0, 0.0, 0.0),
    against: Body | str = GROUND,
    realization: Realization | str | None = None,
) -> Constraint:
    r"""The point ``at`` of ``body`` has the speed c relative to the body ``against``, in any direction.

    .. math:: (v_p - v_p^{against})^2 - c^2 = 0

    It is nonlinear in the velocities, so d'Alembert's principle does not apply. ``speed`` c > 0 [m/s], ``at``: (3,)
    [m] in the body's frame. Gołubowska (75), (76).

    >>> chase = vc.constraints.constant_speed("chase", "dog", 2.0, realization="chetaev")
    """
    where = f"constraint '{name}'"
    speed, at = positive(where, "speed", speed, "m/s"), entries(f"{where}: at", at, (3,))
    return Constraint(name, [body, against], velocity=partial(_excess, speed, at), realization=realization)


def _excess(speed, at, body, against):
    v = slip(body, at, against)
    return dot(v, v) - speed * speed
