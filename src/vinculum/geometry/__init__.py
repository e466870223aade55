"""The configuration space as a Riemannian manifold: kinetic metrics and others, geodesics, transport, curvature, Killing
fields, deformation and equilibrium, carriers. Begin with `metric`. Imports `simulation` and below.

As the namespace `vc.geometry` it shows all of it.
"""

from vinculum.namespaces import lazy

__getattr__, __dir__, __all__ = lazy(__name__)
