"""Impacts on a motion: velocities on both sides, impulses, and their laws. Begin with `lines`."""
