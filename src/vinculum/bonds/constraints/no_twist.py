"""No relative rotation about an axis."""

from functools import partial

from vinculum.bodies import GROUND, Body
from vinculum.bonds.constraints.constraint import Constraint
from vinculum.bonds.constraints.frames import direction
from vinculum.bonds.constraints.realizations import Realization
from vinculum.scalars.math import dot


def no_twist(
    name: str,
    a: Body | str,
    b: Body | str = GROUND,
    *,
    axis=(0.0, 0.0, 1.0),
    realization: Realization | str | None = None,
) -> Constraint:
    r"""Body ``a`` does not rotate relative to body ``b`` about an axis fixed in ``a``.

    .. math:: (R_a e)\cdot(\omega_a - \omega_b) = 0

    ``axis`` e: (3,) in the frame of ``a``. With the ground it is Suslov's constraint; a rubber ball on a table has it about the
    axis of the table (``a`` is then the table).

    >>> shaft = vc.constraints.no_twist("shaft", "hose", realization="dalembert")
    """
    axis = direction(f"constraint '{name}'", "axis", axis)
    return Constraint(name, [a, b], velocity=partial(_twist, axis), realization=realization)


def _twist(axis, a, b):
    return dot(a.rotation @ axis, a.angular_velocity - b.angular_velocity)
