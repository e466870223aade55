"""The action of bodies and joints."""

from typing import Any

import numpy as np

from vinculum.equations.constraints.conditions import condition_levels, condition_names, conditions
from vinculum.equations.forms.hamilton import lagrangian_parts
from vinculum.equations.recursions.coordinate_rates import velocities
from vinculum.errors import MethodError, StartError
from vinculum.geometry.boundary_values.actions.action import ActionGraph, Rows
from vinculum.geometry.sources.bodies import identifiers
from vinculum.models.model_cache import model_for
from vinculum.scalars import Scalar, substitute, symbol, symbols
from vinculum.systems.state_names import q_names


def action_of_bodies(system: Any) -> ActionGraph:
    """T − U in the coordinates of the joints, with closed loops and constraints on positions."""
    model = model_for(system)
    model.check_written_out("boundary-value problems")
    tree, where = model.tree, f"system '{model.name}'"
    if tree is None:
        raise StartError(f"'{model.name}' is a loaded run, which has no description; give the vc.System")
    if not tree.nv:
        raise MethodError(f"{where} cannot move; add joints")
    for link in tree.links:
        if link.joint.nq != link.joint.nv:
            raise MethodError(
                f"{where}: joint '{link.joint.name}' has {link.joint.nq} coordinates for {link.joint.nv} velocities; give it another "
                "chart, as chart='zyx'"
            )
    if tree.varied:
        raise MethodError(
            f"{where} has {tree.conditioned_by}, whose multipliers are coordinates of it; describe it as a vc.LagrangianSystem"
        )
    own, rates, t = symbols("q", tree.nq), symbols("q_dot", tree.nq), symbol("t")
    T, U, force = lagrangian_parts(tree, t, own, rates)
    if any(isinstance(x, Scalar) or x != 0.0 for x in np.ravel(force)):
        raise MethodError(
            f"{where} has drives, dampers or forces without a potential, and its motions are of no stationary action; leave them out"
        )
    names = identifiers(q_names(tree))
    q, v = (np.array([*(symbol(name + tail) for name in names), None], dtype=object)[:-1] for tail in ("", "_dot"))
    old, new = np.concatenate([own, rates]), np.concatenate([q, v])
    rows: list[Rows] = []
    if tree.is_conditioned:
        found = conditions(tree, own, velocities(tree, own, rates), biases=False).values
        for level, (name, _), F in zip(condition_levels(tree), condition_names(tree), found, strict=True):
            if level > 0:
                raise MethodError(
                    f"{where}: constraint '{name}' binds velocities by reactions, and its motions are of no stationary action; describe it "
                    "as a vc.LagrangianSystem with vc.Vakonomic(multipliers=0.0)"
                )
            rows.append(Rows(name, substitute(np.array([F], dtype=object), old, new), True))
    L = substitute(np.array([T - U], dtype=object), old, new)[0]
    return ActionGraph(where, names, q, v, t, L, tuple(rows))
