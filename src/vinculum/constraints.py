"""Ready constraints, rare realizations, and questions about constraints. A namespace: its names live in other rooms."""

from vinculum.namespaces import lazy

__getattr__, __dir__, __all__ = lazy(__name__)
