"""Taylor coefficients of a motion about its start."""
