"""Starts that meet all conditions: assembly of loops, repair, mobility."""
