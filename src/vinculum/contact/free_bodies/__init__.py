"""Time steps of free bodies that meet. Begin with `pile` (the data) and `steps` (one step)."""
