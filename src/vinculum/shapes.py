"""Solids for mass and contact, and what stands still and may be hit. A namespace: its names live in other rooms."""

from vinculum.namespaces import lazy

__getattr__, __dir__, __all__ = lazy(__name__)
