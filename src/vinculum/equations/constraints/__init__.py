"""Closed loops and constraints: rows, multipliers, efforts and powers. Begin with `conditions` and `constrained`."""
