"""Time stepping of free bodies that meet."""
