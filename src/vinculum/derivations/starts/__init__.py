"""Consistent starts: assembly of loops, repair, mobility."""
