"""Solids of triangles and of tetrahedra: reading, closedness, orientation, moments; convex polytopes. Begin with `polyhedron`."""
