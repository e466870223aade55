"""Plots of motions and of many runs, one file for each kind. Begin with `panels` and `kinds`."""
