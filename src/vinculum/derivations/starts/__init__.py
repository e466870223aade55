"""Consistent starts: assembly of loops, repair, mobility. Begin with `assembly`."""
