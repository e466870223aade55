"""Time steps of free bodies that meet. Begin with `bodies` (the data) and `steps` (one step)."""
