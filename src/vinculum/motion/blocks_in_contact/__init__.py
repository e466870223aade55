"""Motions of blocks in contact: impulses of every active contact, by the laws of its pair."""
