"""Contact impulses: projection onto Coulomb's cone (`cones`), and the solvers for contact impulses.

`dense` solves few contacts to round-off; `sparse` solves many; `free_bodies` and `trees` contain the time steps; `blocks`
has the rows of contacts between blocks. Begin with `cones`. Imports `collision` and below.
"""

import vinculum.compile  # noqa: F401 - Numba keeps its compiled functions in our cache from here on
