"""Actions of descriptions: one file for each kind of system, registered here. Begin with `action`."""

from vinculum.derivations.lagrangian.system import LagrangianSystem
from vinculum.geometry.boundary_values.actions.action import ActionGraph, Rows, action_graph
from vinculum.geometry.boundary_values.actions.bodies import action_of_bodies
from vinculum.geometry.boundary_values.actions.lagrangian import action_of_lagrangian

action_graph.register(object, action_of_bodies)
action_graph.register(LagrangianSystem, action_of_lagrangian)

__all__ = ["ActionGraph", "Rows", "action_graph"]
