"""From a system and a start to a motion: everything that happens once a run. Imports `integrators` and below. Begin with `simulate`."""

from vinculum.simulation.simulate import simulate

__all__ = ["simulate"]
