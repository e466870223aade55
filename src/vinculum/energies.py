"""Built-in energies and dissipations of bodies that deform. A namespace: its names are defined in other rooms."""

from vinculum.namespaces import lazy

__getattr__, __dir__, __all__ = lazy(__name__)
