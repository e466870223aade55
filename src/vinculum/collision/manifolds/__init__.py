"""Contact manifolds: faces that meet, polygons clipped against each other, points that matter."""
