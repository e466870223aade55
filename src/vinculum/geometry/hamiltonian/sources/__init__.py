"""Hamiltonians of descriptions: one file for each kind of system, registered here. Begin with `legendre`."""

from vinculum.derivations.lagrangian.system import LagrangianSystem
from vinculum.geometry.hamiltonian.sources.bodies import transform_bodies
from vinculum.geometry.hamiltonian.sources.lagrangian import transform_lagrangian
from vinculum.geometry.hamiltonian.sources.legendre import legendre_transform

legendre_transform.register(object, transform_bodies)
legendre_transform.register(LagrangianSystem, transform_lagrangian)

__all__ = ["legendre_transform"]
