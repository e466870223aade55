"""Strings of a model file that are numbers with units, or formulas. Begin with `quantity`."""
