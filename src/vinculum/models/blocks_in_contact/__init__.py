"""Models of many blocks of any kinds in contact, over tables: their type, and their shapes as arrays. Begin with `type`."""
