"""Symplectic integrators with a fixed step: splitting, Gauss–Legendre, variational, and splitting about a solved part. Begin with
`integrate_steps` and `integrate_perturbed`, then `lanes`.
"""
