"""Stored runs: written while a run goes on, checked when read. Begin with `store`."""
