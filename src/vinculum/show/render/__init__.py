"""Pictures and films without a browser: triangles in a depth buffer. Begin with `picture`."""
