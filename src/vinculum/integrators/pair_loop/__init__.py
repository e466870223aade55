"""Time steps of mass points that act in pairs."""
