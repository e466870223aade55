"""A point on a surface."""

from collections.abc import Callable
from functools import partial

from vinculum.bodies import GROUND, Body
from vinculum.bonds.constraints.constraint import Constraint
from vinculum.bonds.constraints.frames import seen_from
from vinculum.bonds.constraints.realizations import Realization
from vinculum.bonds.symbol import Symbol
from vinculum.errors import ModelError
from vinculum.screws.entries import entries


def point_on_surface(
    name: str,
    body: Body | str,
    surface: Callable,
    *,
    at=(0.0, 0.0, 0.0),
    of: Body | str = GROUND,
    realization: Realization | str | None = None,
) -> Constraint:
    """The point ``at`` of ``body`` on the surface f(x) = 0, which is fixed in the body ``of``.

    ``surface``: f, a function of the position x (3,) [m] in the frame of ``of``, whose gradient does not vanish on the
    surface.

    >>> bowl = vc.constraints.point_on_surface("bowl", "ball", lambda x: x[2] - x[0] ** 2 - x[1] ** 2, realization="dalembert")
    """
    at = entries(f"constraint '{name}': at", at, (3,))
    if not callable(surface):
        raise ModelError(
            f"constraint '{name}': surface is {surface!r}; give a function of a position x, as lambda x: x[2]"
        )
    return Constraint(name, [body, of], position=partial(_height, surface, at), realization=realization,
                      symbol=Symbol("guided point", (at,)))  # fmt: skip


def _height(surface: Callable, at, body, of):
    return surface(seen_from(of, body.point(at)))
