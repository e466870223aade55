"""Invariance of energies and constraints under rigid motions, and potentials reduced by it. Begin with `symmetries`."""
