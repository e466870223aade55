"""Systems given by a Lagrangian of any order."""
