"""What is drawn of a motion that a Lagrangian gives."""
