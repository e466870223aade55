"""Motions of Lagrangian systems from other programs."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from vinculum.derivations.lagrangian.redundancy import without_redundant_rows
from vinculum.derivations.lagrangian.system import LagrangianSystem
from vinculum.equations.lagrangian.first_order_form import DECAY
from vinculum.errors import MethodError, StartError
from vinculum.models.conditions.closed_loops import visible
from vinculum.motion.arguments import floats, named_values
from vinculum.motion.given.splines import spline_pieces
from vinculum.motion.lagrangian.models import lagrangian_model
from vinculum.motion.method import GIVEN, Method
from vinculum.screws.entries import is_number, shorten


def given_parts(system: Any, time, q, v, multipliers, parameters: Mapping[str, float] | None, tolerance) -> tuple:
    """Model, dense output, instants, method and parameters of a motion given as instants (T,), coordinates and rates (T, n), and the
    multipliers (T, m) that are part of the state."""
    if not isinstance(system, LagrangianSystem):
        raise StartError(f"{shorten(system)} is not a vc.LagrangianSystem")
    if system.order > 1:
        raise MethodError(
            f"system '{system.name}' is of order {system.order}, whose states hold higher derivatives and momenta; motions can be given of "
            "systems of first order"
        )
    if not (is_number(tolerance) and 0.0 < tolerance < 1.0):
        raise StartError(f"tolerance {tolerance!r} must be a number between 0 and 1: the accuracy claimed for q and v")
    n, m = len(system.coordinates), len(system.principle.jet.multipliers[0])
    lam = np.zeros((np.size(time), 0)) if multipliers is None and not m else multipliers
    if lam is None:
        raise StartError(
            f"a motion of '{system.name}': {m} multipliers are part of the state, and every value is another motion; give multipliers= "
            f"of shape (T, {m})"
        )
    parts = [
        floats(f"a motion of '{system.name}': {name}", x)
        for name, x in (("time", time), ("q", q), ("v", v), ("multipliers", lam))
    ]
    time = parts[0]
    if time.ndim != 1 or len(time) < 2 or not np.all(np.diff(time) > 0.0):
        raise StartError(f"a motion of '{system.name}': its instants must be at least two increasing numbers")
    for name, array, width in zip(("q", "v", "multipliers"), parts[1:], (n, n, m), strict=True):
        if array.shape != (len(time), width):
            raise StartError(
                f"a motion of '{system.name}': {name} must have shape {(len(time), width)}, got {array.shape}"
            )
    states = np.concatenate(parts[1:], axis=1)
    values = system.numbers.values(named_values(parameters))
    named = dict(zip(sorted(system.numbers.parameters), values.tolist(), strict=True))
    system, _ = without_redundant_rows(system, states[0], float(time[0]), values)
    values = np.array([named[name] for name in sorted(system.numbers.parameters)])
    named = dict(zip(sorted(system.numbers.parameters), values.tolist(), strict=True))
    augmented = system.numbers.needs_augmenting(states[0], float(time[0]), values)
    model = lagrangian_model(system, augmented, named.get(DECAY, 0.0))
    return model, spline_pieces(time, states), time, Method(GIVEN, tolerance=float(tolerance)), visible(named)
