"""Models of free bodies in contact, stepped in a compiled loop. Begin with `type`."""
