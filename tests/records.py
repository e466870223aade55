"""Motions whose records say something else than what was computed."""

from dataclasses import replace


def altered(motion, **changed):
    """A motion with other parts in its record."""
    return replace(motion, record=replace(motion.record, **changed))
