"""A fixed distance between two points."""

from functools import partial

from vinculum.bodies import Body, BodyGroup
from vinculum.bonds.constraints.constraint import Constraint
from vinculum.bonds.constraints.frames import positive
from vinculum.bonds.constraints.realizations import Realization
from vinculum.bonds.symbol import Symbol
from vinculum.scalars.math import norm
from vinculum.screws.entries import entries


def distance(
    name: str,
    a: Body | BodyGroup | str,
    b: Body | BodyGroup | str,
    length,
    *,
    at=(0.0, 0.0, 0.0),
    to=(0.0, 0.0, 0.0),
    realization: Realization | str | None = None,
) -> Constraint:
    r"""A massless rod from the point ``at`` of body ``a`` to the point ``to`` of body ``b``.

    .. math:: |x_a + R_a p_a - x_b - R_b p_b| - \ell = 0

    ``length`` ℓ > 0 [m]; ``at``, ``to``: (3,) [m] in the bodies' frames. Its multiplier is minus the tension [N].

    >>> rod = vc.constraints.distance("rod", "a", "b", 0.5, realization="dalembert")
    """
    where = f"constraint '{name}'"
    length = positive(where, "length", length, "m")
    at, to = entries(f"{where}: at", at, (3,)), entries(f"{where}: to", to, (3,))
    return Constraint(name, [a, b], position=partial(_excess, at=at, to=to, length=length), realization=realization,
                      symbol=Symbol("rod", (at, to)))  # fmt: skip


def _excess(a, b, at, to, length):
    return norm(a.point(at) - b.point(to)) - length
