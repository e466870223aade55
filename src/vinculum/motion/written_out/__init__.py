"""Motions of models whose impulses are atoms, or which have none."""
