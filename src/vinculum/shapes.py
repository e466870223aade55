"""Solids for mass and contact, and fixed walls. A namespace: its names are defined in other rooms."""

from vinculum.namespaces import lazy

__getattr__, __dir__, __all__ = lazy(__name__)
