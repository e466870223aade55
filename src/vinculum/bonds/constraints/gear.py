"""A gear: two joints in a fixed ratio."""

from functools import partial

import numpy as np

from vinculum.bonds.body_view import BodyView
from vinculum.bonds.constraints.constraint import Constraint
from vinculum.bonds.constraints.realizations import Realization
from vinculum.bonds.joints import Joint
from vinculum.errors import ModelError
from vinculum.scalars import value
from vinculum.screws.entries import entries


def gear(
    name: str, a: Joint | str, b: Joint | str, ratio, *, phase=0.0, realization: Realization | str | None = None
) -> Constraint:
    r"""The coordinate of joint ``a`` is ``ratio`` times that of joint ``b``, plus ``phase``.

    .. math:: q_a - r\,q_b - q_0 = 0

    Each joint has one coordinate: turns of two wheels (a negative ratio where they mesh outside), a rack and its pinion [m/rad],
    a screw.

    >>> pair = vc.constraints.gear("pair", "first axle", "second axle", ratio=-2.0, realization="dalembert")
    """
    where = f"constraint '{name}'"
    ratio, phase = entries(f"{where}: ratio", ratio, ()).item(), entries(f"{where}: phase", phase, ()).item()
    if value(ratio) == 0.0:
        raise ModelError(f"{where}: ratio 0 would hold joint 'a' alone; give a ratio that is not zero")
    return Constraint(name, [a, b], position=partial(_mesh, ratio, phase), realization=realization)


def _mesh(ratio, phase, a, b):
    for view in (a, b):
        if isinstance(view, BodyView):
            raise ModelError(f"'{view.name}' is a body, and a gear connects joints; name the joints of the wheels")
        if isinstance(view.q, np.ndarray):
            raise ModelError(
                f"joint '{view.name}' has {len(view.q)} coordinates, and a gear connects joints with one; "
                "use vc.Constraint with a function of its q"
            )
    return a.q - ratio * b.q - phase
