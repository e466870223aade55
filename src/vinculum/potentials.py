"""Ready energies of bodies and of pairs of bodies, and their reduced forms. A namespace: its names live in other rooms."""

from vinculum.namespaces import lazy

__getattr__, __dir__, __all__ = lazy(__name__)
