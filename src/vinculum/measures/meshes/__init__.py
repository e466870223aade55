"""Solids of triangles and of tetrahedra: reading, closedness, orientation, moments. Begin with `polyhedron`."""
