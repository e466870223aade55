"""Laws measured on models that are written out. Begin with `lines`."""
