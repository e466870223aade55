"""Mass measures of atoms and densities, the solids they are spread over, and kinetic measures. Begin with `measure`.

As the namespace `vc.measures` it shows kinetic measures, efforts, windows and test functions. Imports `screws` and below.
"""

from vinculum.namespaces import lazy

__getattr__, __dir__, __all__ = lazy(__name__)
