"""Models given by a Lagrangian: coordinates and tapes, without bodies. Begin with `type`."""
