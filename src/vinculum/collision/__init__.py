"""Collision detection: broad phase, narrow phase, contact points. Compiled loops over plain arrays, without bodies and laws.

Begin with `broad_phase` (which pairs are near) and `narrow_phase.entry` (gap, normal and position of each contact of a pair).
Imports `compile` and `tolerances`.
"""

import vinculum.compile  # noqa: F401 - Numba keeps its compiled functions in our cache from here on
