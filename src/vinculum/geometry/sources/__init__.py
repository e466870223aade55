"""Metrics of descriptions: one file for each kind of system, registered here. Begin with `kinetic`."""

from vinculum.derivations.lagrangian.system import LagrangianSystem
from vinculum.geometry.sources.bodies import metric_of_bodies
from vinculum.geometry.sources.kinetic import KineticGraph, kinetic_graph
from vinculum.geometry.sources.lagrangian import metric_of_lagrangian

kinetic_graph.register(object, metric_of_bodies)
kinetic_graph.register(LagrangianSystem, metric_of_lagrangian)

__all__ = ["KineticGraph", "kinetic_graph"]
