"""Rest of bodies in contact: how exactly it is proved, and how long that is tried. Compiled kernels of `contact` hold these numbers."""

SPEED_AT_REST = 1e-13
"""Impulses leave no velocity if it is below this fraction of |g| h: a thousand round-offs of the impulses."""
RESTS = 1e-12
"""A body rests in a step if its velocities before and after it are below this fraction of |g| h: round-off of the impulses that balance its
weight, ten million times less than what the usual residual leaves."""
REST_STEPS = 1000
"""Most steps of conjugate gradients that look for such impulses."""
REST_RENEWED = 100
"""Steps after which the velocities that are left are computed anew: their recursion loses digits."""
REST_LOOKED_AT = 25
"""Steps after which it is seen whether they help."""
REST_GAINED = 0.7
"""They go on as long as so many of them reduce the velocities to this fraction: others would need hundreds for each digit."""
