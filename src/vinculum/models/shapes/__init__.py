"""Shapes of bodies as arrays of numbers, for collision."""
