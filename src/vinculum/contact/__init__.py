"""Impulses of contacts: Coulomb's cone (`cones`), and the solvers that find impulses inside of it.

`dense` solves few contacts to round-off; `sparse` solves many; `free_bodies` and `trees` take the time steps.
Imports `collision` and below.
"""

import vinculum.compile  # noqa: F401 - Numba keeps its compiled functions in our cache from here on
