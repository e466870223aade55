"""Tape → power series in time. Begin with `program`, then `recurrences`."""
