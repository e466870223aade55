"""Motions of free bodies and of blocks in contact: impulses of every active contact. Begin with `recorded_contacts`."""
