"""Impulses of contacts: Coulomb's cone (`cones`), and the solvers that find impulses inside of it.

`dense` solves few contacts to round-off; `sparse` solves many; `free_bodies` and `trees` take the time steps.
Imports `collision` and below.
"""
