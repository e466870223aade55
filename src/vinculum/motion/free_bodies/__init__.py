"""Motions of free bodies in contact: impulses of every active contact, which blocks in contact record too. Begin with `answers`."""
