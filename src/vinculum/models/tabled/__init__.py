"""Models of many blocks: what is alike is traced once and evaluated over tables of indices. Begin with `blocks`, then `type`."""
