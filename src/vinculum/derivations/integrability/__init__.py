"""Whether constraints on velocities are constraints on positions. Begin with `integrability`."""
