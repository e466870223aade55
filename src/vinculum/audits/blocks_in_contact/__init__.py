"""Certificates of blocks in contact. Begin with `lines`."""
