"""Tables of a model file, each a class of keys and values. Begin with `shapes`."""
