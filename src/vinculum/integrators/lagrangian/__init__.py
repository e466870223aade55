"""What integrators ask of models that a Lagrangian gives."""
