"""Time steps of free bodies in contact. Begin with `bodies` (the data) and `steps` (one step)."""
