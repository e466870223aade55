"""Tolerances of methods: their defaults, and the range that a user may ask for."""

# DOP853
DOP853_TOLERANCE = 2e-14
"""Relative error of a step of DOP853: a hundred round-offs. A smaller value shortens the steps and does not improve the result."""
DOP853_LEAST = 1e-15
"""The least tolerance of DOP853: a few round-offs."""

# IDAS
IDAS_TOLERANCE = 1e-11
"""Relative error of a step of IDAS. Its order is at most five, so a smaller value takes many more steps."""
IDAS_LEAST = 1e-13
"""The least tolerance of IDAS: below it round-off in its Newton iterations makes runs fail."""

# Ensembles
ENSEMBLE_TOLERANCE = 1e-12
"""Relative error of a step of an ensemble."""
ENSEMBLE_LEAST = 1e-15
"""The least tolerance of an ensemble: a few round-offs."""
ENSEMBLE_LARGEST = 0.1
"""The largest tolerance of an ensemble: a larger one gives no solution."""
ENSEMBLE_FIRST_STEP = 1e-3
"""First trial step of an ensemble, as fraction of the span."""

# Integration for comparisons
INTEGRATED = 1e-13
"""Relative and absolute tolerance of motions that are integrated for comparison: some hundred round-offs."""

# Time steps of blocks in contact
FEWEST_VELOCITIES_OVER_TABLES = 36
"""Velocities besides those of the largest block from which on time steps of blocks in contact run over tables. The whole mass matrix takes
time that grows with its third power: four affine cubes or eight rigid bodies take the same time either way."""
