"""Motions from other programs: unwrapped charts, detected jumps. Begin with `given`."""
