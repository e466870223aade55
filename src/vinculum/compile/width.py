"""Number of runs or rows computed side by side."""

WIDTH = 8
"""Numbers of a vector: one register of AVX-512, two of AVX, four of NEON."""
