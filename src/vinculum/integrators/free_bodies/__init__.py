"""Time stepping of free bodies in contact."""
