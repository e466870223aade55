"""A point on a curve."""

from collections.abc import Callable
from functools import partial

import numpy as np

from vinculum.bodies import GROUND, Body
from vinculum.bonds.constraints.constraint import Constraint
from vinculum.bonds.constraints.frames import seen_from
from vinculum.bonds.constraints.realizations import Realization
from vinculum.bonds.symbol import Symbol
from vinculum.errors import ModelError
from vinculum.scalars import vector
from vinculum.screws.entries import entries


def point_on_curve(
    name: str,
    body: Body | str,
    curve: Callable,
    *,
    at=(0.0, 0.0, 0.0),
    of: Body | str = GROUND,
    realization: Realization | str | None = None,
) -> Constraint:
    """The point ``at`` of ``body`` on a curve, the intersection of two surfaces fixed in the body ``of``.

    ``curve``: a function of the position x (3,) [m] in the frame of ``of`` that returns two numbers, both zero on the
    curve with gradients that are not parallel.

    >>> wire = vc.constraints.point_on_curve("wire", "bead", lambda x: (x[2] - x[0] ** 2, x[1]), realization="dalembert")
    """
    where = f"constraint '{name}'"
    at = entries(f"{where}: at", at, (3,))
    if not callable(curve):
        raise ModelError(f"{where}: curve is {curve!r}; give a function of a position x, as lambda x: (x[1], x[2])")
    return Constraint(name, [body, of], position=partial(_rows, curve, at), realization=realization,
                      symbol=Symbol("guided point", (at,)))  # fmt: skip


def _rows(curve: Callable, at, body, of) -> np.ndarray:
    found = np.atleast_1d(vector(curve(seen_from(of, body.point(at)))))
    if found.shape != (2,):
        raise ModelError(f"a curve in space is where two functions vanish, and {len(found)} came; return two numbers")
    return found
