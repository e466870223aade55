"""Motions of blocks in contact: impulses of the pairs of each contact. Begin with `answers`."""
