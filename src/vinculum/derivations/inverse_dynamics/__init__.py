"""Generalized forces of a given motion, and the wrenches in the joints."""
