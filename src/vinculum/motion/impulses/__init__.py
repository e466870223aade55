"""Impulses of a motion: at impacts, in time steps, at contacts of shapes. Begin with `atoms`."""
