"""Rows of unilateral constraints, and poses of shapes."""
