"""Knife edge: no lateral velocity, as of a blade, a skate or a thin wheel."""

from functools import partial

from vinculum.bodies import GROUND, Body
from vinculum.bonds.constraints.constraint import Constraint
from vinculum.bonds.constraints.frames import direction, slip
from vinculum.bonds.constraints.realizations import Realization
from vinculum.bonds.symbol import Symbol
from vinculum.scalars.math import dot
from vinculum.screws.entries import entries


def knife_edge(
    name: str,
    body: Body | str,
    *,
    side=(0.0, 1.0, 0.0),
    at=(0.0, 0.0, 0.0),
    on: Body | str = GROUND,
    realization: Realization | str | None = None,
) -> Constraint:
    r"""The point ``at`` of ``body`` has no lateral velocity relative to the body ``on``.

    .. math:: (R\,s)\cdot(v_p - v_p^{on}) = 0

    ``side`` s: (3,) across the blade, ``at``: (3,) [m], both in the body's frame.

    >>> blade = vc.constraints.knife_edge("blade", "skate", side=(0, 1, 0), realization="dalembert")
    """
    where = f"constraint '{name}'"
    side, at = direction(where, "side", side), entries(f"{where}: at", at, (3,))

    return Constraint(name, [body, on], velocity=partial(_sideways, side, at), realization=realization,
                      symbol=Symbol("blade", (at,), (side,)))  # fmt: skip


def _sideways(side, at, body, on):
    return dot(body.rotation @ side, slip(body, at, on))
