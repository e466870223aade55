"""Rows of unilateral constraints, and where shapes stand."""
