"""Integrability of constraints on velocities. Begin with `integrability`."""

from vinculum.derivations.integrability.integrability import integrability_of
from vinculum.derivations.integrability.lagrangian import integrability_of_lagrangian
from vinculum.derivations.lagrangian.system import LagrangianSystem

integrability_of.register(LagrangianSystem, integrability_of_lagrangian)
