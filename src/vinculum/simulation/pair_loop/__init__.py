"""Runs of points that act in pairs."""
