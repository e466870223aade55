"""What is drawn of a motion: triangles, symbols of bonds, arrows, contacts, and where to look from. Begin with `parts`."""
