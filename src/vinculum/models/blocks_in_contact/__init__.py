"""Models of many blocks of any kinds in contact, over tables. Begin with `type`."""
