"""Motions of systems given by a Lagrangian. Begin with `motion`."""
