"""The action of a Lagrangian system."""

import numpy as np

from vinculum.derivations.lagrangian.system import LagrangianSystem
from vinculum.errors import MethodError
from vinculum.geometry.boundary_values.actions.action import ActionGraph, Rows
from vinculum.scalars import Scalar


def action_of_lagrangian(system: LagrangianSystem) -> ActionGraph:
    """L with its vakonomic constraints and those on positions; what has no stationary action is refused."""
    principle, where = system.principle, f"Lagrangian system '{system.name}'"
    if principle.order > 1:
        raise MethodError(
            f"{where} is of order {principle.order}; boundary-value problems are for first order: add the velocities as coordinates, with "
            "vakonomic constraints that say so"
        )
    if any(isinstance(x, Scalar) or x != 0.0 for x in principle.D):
        raise MethodError(
            f"{where} has forces of dissipation or friction, and its motions are of no stationary action; leave them out"
        )
    bound = next((rows.name for rows in principle.ideal if rows.level > 0), None)
    if bound is not None:
        raise MethodError(
            f"{where}: constraint '{bound}' on velocities is realized by reactions, whose motions are of no stationary action; use "
            "vc.Vakonomic(multipliers=0.0)"
        )
    rows = tuple(
        Rows(one.name, np.asarray(one.F, dtype=object), one.level == 0)
        for one in (*principle.stationary, *principle.ideal)
    )
    q, v = principle.jet.levels[:2]
    return ActionGraph(where, tuple(system.coordinates), q, v, principle.jet.t, principle.L, rows)
