"""Laws measured on points that act in pairs, which run as a loop. Begin with `pair_forces`."""
