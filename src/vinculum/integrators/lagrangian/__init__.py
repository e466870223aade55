"""Steps of Lagrangian models."""
