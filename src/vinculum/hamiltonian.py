"""Hamiltonian systems: brackets, symplectic methods, order and chaos, first integrals. The namespace `vc.hamiltonian`."""

from vinculum.namespaces import lazy

__getattr__, __dir__, __all__ = lazy(__name__)
