"""Carriers on time-space as graphs: the time component η⁰ and a virtual velocity w, functions of (t, q)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from vinculum.audits.action.source import ActionGraphs, ActionSpace
from vinculum.errors import ModelError, shorten
from vinculum.geometry.carriers.support import cut_off
from vinculum.scalars import symbol, symbols
from vinculum.systems.jets import jet_function


@final
@dataclass(frozen=True, eq=False)
class CarrierGraphs:
    """η⁰ and w (nv,) over (t, q) and further symbols ``given``, whose values each carrier has."""

    time: Any
    velocity: np.ndarray
    given: np.ndarray

    def without_time(self) -> "CarrierGraphs":
        """The same carriers with η⁰ = 0."""
        return replace(self, time=0.0)


def written_carrier(
    space: ActionSpace, velocity: Callable, time: Callable | None, support: tuple[float, float] | None
) -> CarrierGraphs:
    """The carrier of a user's functions; those with a support are cut off in time."""
    where = f"{space.where}: carrier"
    found = jet_function(f"{where}: velocity", velocity, space.names)
    clock = None if time is None else jet_function(f"{where}: time", time, space.names)
    if found.order > 0 or (clock is not None and clock.order > 0):
        raise ModelError(f"{where}: it is a function of velocities; give one of t and {', '.join(space.names)} or q")
    w = found.row((space.q,), space.t, space.nv)
    eta = 0.0 if clock is None else clock.one((space.q,), space.t)
    if support is not None:
        bump = cut_off(space.t, *support)
        w, eta = bump * w, bump * eta
    return CarrierGraphs(eta, np.asarray(w, dtype=object), np.zeros(0, dtype=object))


def polynomial_carriers(graphs: ActionGraphs) -> CarrierGraphs:
    r"""A family of carriers, linear in the coordinates and cut off in time.

    .. math:: \eta^0 = B(s)\,(\alpha + \kappa\cdot(q - c)),\qquad w = B(s)\,(a + K (q - c))

    Its symbols: the center and the half width in time, α, κ (nq,), a (nv,), K (nv, nq) and c (nq,).
    """
    nq, nv = len(graphs.q), graphs.nv
    center, half, alpha = symbol("center"), symbol("half"), symbol("alpha")
    kappa, a, K, c = symbols("kappa", nq), symbols("a", nv), symbols("K", nv * nq), symbols("c", nq)
    away = graphs.q - c
    bump = cut_off(graphs.t, center - half, center + half)
    w = bump * (a + K.reshape(nv, nq) @ away)
    given = np.concatenate([np.array([center, half, alpha], dtype=object), kappa, a, K, c])
    return CarrierGraphs(bump * (alpha + kappa @ away), np.asarray(w, dtype=object), given)


def checked_support(where: str, support: Sequence | None, begin: float, end: float) -> tuple[float, float] | None:
    """A pair of instants inside a motion."""
    if support is None:
        return None
    wanted = f"give two instants between {begin:g} and {end:g}, the smaller one first"
    pair = list(support) if isinstance(support, (list, tuple, np.ndarray)) else []
    try:
        low, high = (float(x) for x in pair)
    except (TypeError, ValueError) as error:
        raise ModelError(f"{where}: support is {shorten(support)}; {wanted}") from error
    if not begin <= low < high <= end:
        raise ModelError(f"{where}: support is {shorten(support)} and must lie in the motion; {wanted}")
    return low, high
