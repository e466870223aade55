"""Conserved quantities from the structure of a system. Begin with `first_integrals`."""
