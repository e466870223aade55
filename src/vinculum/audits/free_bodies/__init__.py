"""Laws of free bodies in contact, from steps repeated with the user's numbers. Begin with `lines`."""
