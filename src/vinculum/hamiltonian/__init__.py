"""Hamiltonian form: Hamiltonians of systems and given ones, brackets, symplectic integrators, chaos, periodic orbits, first integrals.

Begin with `system`, then `phase_space`. Imports `geometry` and below. As the namespace `vc.hamiltonian` it shows all of it.
"""

from vinculum.namespaces import lazy

__getattr__, __dir__, __all__ = lazy(__name__)
