"""Linear equations about a rest or a steady motion. Begin with `linearize`."""
