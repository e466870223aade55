"""Formulas as text: exact sums, LaTeX, names for repeated values. Begin with `formulas`."""
