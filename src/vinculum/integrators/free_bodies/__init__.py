"""Time stepping of free bodies in contact. Begin with `steps`."""
