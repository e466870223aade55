"""Adaptive integration over charts, whole or cut by the boundary of a region, with an estimate of the error. Begin with `quadrature`."""
