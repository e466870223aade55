"""Few contacts, dense matrices: Gauss–Seidel, then Newton's method on the natural map. Begin with `impulses`."""
