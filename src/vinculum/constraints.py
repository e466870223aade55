"""Built-in constraints, rare realizations, and analysis of constraints. A namespace: its names are defined in other
rooms.
"""

from vinculum.namespaces import lazy

__getattr__, __dir__, __all__ = lazy(__name__)
