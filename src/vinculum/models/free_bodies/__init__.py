"""Models of free bodies in contact, which are not written out but stepped in a compiled loop. Begin with `type`."""
