"""Efforts that enforce constraints along a motion: the work of reactions, and servos with their bounds. Begin with `work`."""
