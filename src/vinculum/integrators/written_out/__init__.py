"""What integrators ask of models that are written out."""
