"""Tolerances of methods: what they take where a user names none, and what may be asked of them."""

# DOP853
DOP853_TOLERANCE = 2e-14
"""Relative error of a step of DOP853: a hundred round-offs, below which steps get shorter and nothing better."""
DOP853_LEAST = 1e-15
"""The least tolerance of DOP853: a few round-offs."""

# IDAS
IDAS_TOLERANCE = 1e-11
"""Relative error of a step of IDAS: its order is at most five, so that less takes many more steps."""
IDAS_LEAST = 1e-13
"""The least tolerance of IDAS: below it round-off in its Newton iterations ends runs."""

# Ensembles
ENSEMBLE_TOLERANCE = 1e-12
"""Relative error of a step of an ensemble."""
ENSEMBLE_LEAST = 1e-15
"""The least tolerance of an ensemble: a few round-offs."""
ENSEMBLE_LARGEST = 0.1
"""The largest one: more is no solution."""
ENSEMBLE_FIRST_STEP = 1e-3
"""Part of the span that the first step of an ensemble tries."""

# Integration where what is integrated decides
INTEGRATED = 1e-13
"""Relative and absolute tolerance of motions that are integrated to be compared: some hundred round-offs."""
