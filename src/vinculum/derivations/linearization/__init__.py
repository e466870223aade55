"""Linear equations about an equilibrium or a steady motion. Begin with `linearize`."""
