"""Stored runs: written during a run, checked when read. Begin with `store`."""
