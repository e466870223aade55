"""Symplectic integrators with a fixed step: splitting, Gauss–Legendre, variational. Begin with `integrate_steps`, then `lanes`."""
