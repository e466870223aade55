"""Solids over which mass is spread: their interface in `base`, and elementary ones. Meshes and convex polytopes are in `meshes`."""
