"""Motions of free bodies in contact: impulses of every active contact. Begin with `answers`."""
