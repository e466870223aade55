"""Mass measures of atoms and densities, the solids they are spread over, and kinetic measures. Begin with `measure`."""

from vinculum.measures.measure import Measure
from vinculum.measures.polytope import Polytope
from vinculum.measures.solid import Solid
from vinculum.measures.solids import Box, Capsule, Cone, Cylinder, Ellipsoid, Sphere

__all__ = ["Box", "Capsule", "Cone", "Cylinder", "Ellipsoid", "Measure", "Polytope", "Solid", "Sphere"]
