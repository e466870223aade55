"""Conserved quantities, found from the structure of a system. Begin with `first_integrals`."""
