"""Recursions over the links of a tree: Newton–Euler, articulated and composite bodies. Begin with `newton_euler`."""
