"""Drawings of Lagrangian motions."""
