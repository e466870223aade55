"""Systems given by a Lagrangian: what the user describes, and its equations. Begin with `system`."""
