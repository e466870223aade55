"""Checks of what is added to a system. Begin with `actions`."""
