"""Invariance of bonds under superposed rigid motions."""
