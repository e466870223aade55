"""Systems given by a Lagrangian: the description and its equations. Begin with `system`."""
