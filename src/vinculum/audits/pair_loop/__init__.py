"""Audits of mass points in a pair loop. Begin with `pair_forces`."""
