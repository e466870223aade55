"""Passes: a tape in, a tape out."""
