"""Contact manifolds: faces in contact, clipped polygons, reduction of points."""
