"""Laws of joints, loops, constraints, forces and drives along a motion. Begin with `reactions`."""
