"""Formulas as text: exact sums, LaTeX, names for what occurs more than once. Begin with `formulas`."""
